import type { DeskState } from "@aqua/sdk/api/desk";
import type { OperatorScope } from "@aqua/sdk/api/rules";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";

/** Whether the operator may read what needs one of these scopes. */
export function mayRead({ scopes }: DeskState, ...any: OperatorScope[]): boolean {
  return any.some((scope) => scopes.includes(scope));
}

/** Shown in place of a part that the operator may not read. */
export function MissingScope({ state, needed }: { state: DeskState; needed: string }) {
  return (
    <Notice title={t("desk.scope", { scope: needed })}>
      {t("desk.scope.text", { name: state.name, scopes: state.scopes.join(", ") })}
    </Notice>
  );
}
