import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Row, Sample } from "./sample.tsx";

const failure = { error_code: "internal_error", message: "The list could not be read.", request_id: "req-3f9a" };

interface Movement {
  id: string;
  kind: string;
  time: string;
  amount: string;
  state: string;
}
const movements: Movement[] = [
  { id: "1", kind: "Deposit", time: "20 Nov 2026, 13:02 UTC", amount: "1,000.00 tUSD", state: "Confirmed" },
  { id: "2", kind: "Withdrawal", time: "20 Nov 2026, 13:20 UTC", amount: "−250.00 tUSD", state: "Pending" },
  { id: "3", kind: "Interest", time: "19 Nov 2026, 09:00 UTC", amount: "+0.14 tUSD", state: "Confirmed" },
];
const columns: Column<Movement>[] = [
  { key: "kind", title: "What", lead: true, render: (row) => row.kind },
  { key: "time", title: "When", render: (row) => row.time },
  { key: "amount", title: "Amount", figure: true, render: (row) => row.amount },
  { key: "state", title: "State", render: (row) => row.state },
];

export function States() {
  const [page, setPage] = useState(2);
  return (
    <>
      <Sample title="Loading" note="Of the size the content will have.">
        <div className="grid gap-4 md:grid-cols-2">
          <div className="panel p-5" aria-busy="true">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="mt-3 h-9 w-48" />
            <Skeleton className="mt-4 h-24" />
          </div>
          <div className="panel" aria-busy="true">
            <TableSkeleton rows={4} />
          </div>
        </div>
        <Row>
          <Spinner className="text-accent" />
          <span className="text-14 text-muted">Loading...</span>
        </Row>
      </Sample>
      <Sample title="Empty and error">
        <div className="grid gap-4 md:grid-cols-2">
          <div className="panel">
            <Empty title="No deposits yet" actions={<Button look="secondary">See products</Button>}>
              What you deposit appears here with its result, block by block.
            </Empty>
          </div>
          <div className="flex flex-col gap-4">
            <ErrorState title="Transactions could not be loaded" error={failure} onRetry={() => undefined} />
            <ErrorState error={null} onRetry={() => undefined} busy />
          </div>
        </div>
      </Sample>
      <Sample title="Notices">
        <div className="grid gap-4 md:grid-cols-2">
          <Notice title="Withdrawals use the queue today">
            The buffer holds 12,000 tUSD; more takes about 2 days.
          </Notice>
          <Notice look="caution" title="The last report is late">
            Expected every 6 hours, the last one came 9 hours ago. The share price stands still meanwhile.
          </Notice>
          <Notice look="error" title="The transaction failed" actions={<Button size="small">Try again</Button>}>
            Nothing was moved. The network fee of 0.0004 ETH is spent.
          </Notice>
          <Notice look="success" title="Your 1,000 tUSD are in">
            They start earning with the next report, in about 6 hours.
          </Notice>
        </div>
      </Sample>
      <Sample title="Table" note="Below 768 px each row is a card.">
        <div className="panel overflow-hidden">
          <Table caption="Movements" columns={columns} rows={movements} rowKey={(row) => row.id} />
          <Pager page={page} pageSize={3} total={1204} onChange={setPage} />
        </div>
      </Sample>
    </>
  );
}
