import type { DeskState } from "@aqua/sdk/api/desk";
import type { IdentityCaseLine } from "@aqua/sdk/api/operator";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { formatCountry, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { PagedTable } from "../transparency/paged-table.tsx";
import { IdentityCase } from "./identity-case.tsx";
import { MissingScope, mayRead } from "./parts.tsx";
import { type CaseStatus, useCases } from "./queries.ts";

const statuses = ["pending", "verified", "rejected", "expired"] as const satisfies CaseStatus[];
/** The page size of the call. */
const pageSize = 20;

const columns: () => Column<IdentityCaseLine>[] = () => [
  {
    key: "email",
    title: t("forms.email"),
    lead: true,
    render: ({ id, email }) => (
      <Link to={`?case=${encodeURIComponent(id)}`} className="link">
        {email}
      </Link>
    ),
  },
  { key: "country", title: t("desk.identity.country"), render: ({ country }) => formatCountry(country) },
  {
    key: "document",
    title: t("desk.identity.document"),
    render: ({ document_kind }) => t(`profile.form.kind.${document_kind}`),
  },
  {
    key: "submitted",
    title: t("desk.identity.submitted"),
    render: ({ submitted_at }) => formatDateTime(submitted_at),
  },
];

/** Identity cases: the list of a status, or the one that the address names. */
export function Identity({ state }: { state: DeskState }) {
  const id = useSearchParams()[0].get("case");
  return (
    <Section anchor="identity" title={t("desk.identity")} intro={t("desk.identity.intro")}>
      {!mayRead(state, "identity") ? (
        <MissingScope state={state} needed="identity" />
      ) : id === null ? (
        <Cases />
      ) : (
        <IdentityCase key={id} id={id} state={state} />
      )}
    </Section>
  );
}

function Cases() {
  const [query, setQuery] = useState<{ status: CaseStatus; page: number }>({ status: "pending", page: 1 });
  return (
    <>
      <div className="mb-4 max-w-64">
        <SelectField
          label={t("desk.state")}
          value={query.status}
          onChange={(status) => setQuery({ status, page: 1 })}
          options={statuses.map((value) => ({ value, label: t(`desk.identity.${value}`) }))}
        />
      </div>
      <div className="panel overflow-hidden">
        <PagedTable
          query={useCases(query, true)}
          page={query.page}
          pageSize={pageSize}
          onPage={(page) => setQuery({ ...query, page })}
          failed={t("desk.identity.failed")}
          none={<Empty title={t("desk.identity.none")} />}
          caption={t("desk.identity")}
          columns={columns()}
          rowKey={({ id }) => id}
        />
      </div>
    </>
  );
}
