import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Loading } from "../../ui/spinner.tsx";
import { deskKey, useDeskToken } from "./session.ts";

const LogIn = lazy(() =>
  Promise.all([import("./log-in.tsx"), loadTexts("security", "forms")]).then(([module]) => module),
);
const Desk = lazy(() =>
  Promise.all([
    import("./desk.tsx"),
    loadTexts("transparency", "products", "readings", "reasons", "profile", "forms", "security"),
  ]).then(([module]) => module),
);

/** The desk of operators. No page links to it, and it is loaded only at its address. */
export default function OperatorPage() {
  usePageTitle(t("desk.title"));
  const token = useDeskToken();
  const queries = useQueryClient();
  useEffect(() => {
    if (token === null) queries.removeQueries({ queryKey: deskKey });
  }, [token, queries]);
  return <Suspense fallback={<Loading />}>{token === null ? <LogIn /> : <Desk key={token} />}</Suspense>;
}
