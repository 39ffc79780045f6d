import { type ComponentType, lazy } from "react";
import { loadTexts } from "../i18n/i18n.ts";
import type { Namespace } from "../i18n/namespaces.ts";

/**
 * A lazy part, with its texts, without which a page still stands: when it cannot be fetched, nothing is shown in its
 * place.
 */
export function optional<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...texts: Namespace[]
) {
  return lazy(() =>
    Promise.all([load(), loadTexts(...texts)]).then(
      ([module]) => module,
      () => ({ default: (() => null) as ComponentType<Props> }),
    ),
  );
}
