import type { ErrorBody } from "@aqua/sdk/api/envelope";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { DepthLines } from "../../ui/depth-lines.tsx";
import { ErrorState } from "../../ui/error-state.tsx";

function errorCode(error: unknown): string | null {
  return typeof error === "object" && error !== null && "error_code" in error ? (error as ErrorBody).error_code : null;
}

interface ProductGateProps {
  shortId: string;
  product: UseQueryResult<unknown>;
}

/** Shown instead of a product that is unknown or failed to load. */
export function ProductGate({ shortId, product }: ProductGateProps): ReactNode {
  const code = errorCode(product.error);
  if (code === "pool_not_found" || code === "validation_error") return <UnknownProduct shortId={shortId} />;
  return (
    <div className="page py-16">
      <ErrorState
        title={t("products.product.failed")}
        error={product.error}
        busy={product.isFetching}
        onRetry={() => product.refetch()}
      />
    </div>
  );
}

function UnknownProduct({ shortId }: { shortId: string }) {
  usePageTitle(t("products.unknown.title"));
  return (
    <div className="relative">
      <DepthLines seed={shortId} className="absolute inset-0 h-full w-full" />
      <div className="page relative grid min-h-[60vh] content-center justify-items-start gap-4 py-16">
        <p className="font-mono text-14 break-all text-muted">{shortId}</p>
        <h1 className="text-28 md:text-44">{t("products.unknown.title")}</h1>
        <p className="max-w-[68ch] text-muted">{t("products.unknown.text")}</p>
        <Link to={paths.products} className={buttonClasses()}>
          {t("products.unknown.all")}
        </Link>
      </div>
    </div>
  );
}
