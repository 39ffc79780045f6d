import { type ComponentType, lazy } from "react";
import { loadTexts } from "../i18n/i18n.ts";
import type { Namespace } from "../i18n/namespaces.ts";

/** A lazy component with its texts. If either cannot be loaded, the surrounding boundary shows it. */
export function withTexts<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...texts: Namespace[]
) {
  return lazy(() => Promise.all([load(), loadTexts(...texts)]).then(([module]) => module));
}
