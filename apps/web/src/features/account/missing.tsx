import type { AccountInfo, IdentityStatus } from "@aqua/sdk/api/auth";
import { Check, Circle } from "lucide-react";
import { t } from "../../i18n/i18n.ts";

/** Lists the requirements of a deposit and shows which of them are met. */
export function MissingList({ account, status }: { account: AccountInfo; status: IdentityStatus }) {
  const current = account.wallets.find((wallet) => wallet.current);
  const needs = [
    { key: "email", there: true },
    { key: "identity", there: status === "verified" },
    { key: "wallet", there: current !== undefined },
    { key: "record", there: current?.bindings.some(({ state }) => state === "bound") ?? false },
  ] as const;
  const missing = needs.filter(({ there }) => !there).length;
  return (
    <div>
      <p className="text-14 font-strong">
        {missing === 0 ? t("profile.needs.none") : t("profile.needs.missing", { count: missing })}
      </p>
      <ul className="mt-3 grid gap-x-6 gap-y-2 text-14 sm:grid-cols-2">
        {needs.map(({ key, there }) => {
          const Icon = there ? Check : Circle;
          return (
            <li key={key} className="flex items-center gap-2">
              <Icon
                aria-hidden="true"
                className={there ? "size-4 shrink-0 text-positive" : "size-4 shrink-0 text-muted"}
                strokeWidth={there ? 2 : 1.5}
              />
              <span className={there ? "text-muted" : undefined}>
                <span className="sr-only">{t(there ? "profile.needs.there" : "profile.needs.notThere")} </span>
                {t(`profile.needs.${key}`)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
