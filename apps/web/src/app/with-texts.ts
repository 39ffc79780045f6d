import { type ComponentType, lazy } from "react";
import { loadTexts } from "../i18n/i18n.ts";
import type { Namespace } from "../i18n/namespaces.ts";

/** A lazy component with its texts. If one of them cannot be loaded, the surrounding error boundary handles it. */
export function withTexts<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...texts: Namespace[]
) {
  return lazy(() => Promise.all([load(), loadTexts(...texts)]).then(([module]) => module));
}
