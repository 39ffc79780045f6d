import { AnnouncementList } from "../products/announcement-list.tsx";
import { useAnnouncements } from "../products/announcements.ts";
import type { Scope } from "./scope.ts";
import { useTotalHoldValue } from "./value.ts";

/** Lists the announced changes of all products in this portfolio. */
export default function Announced({ scope: { address, also } }: { scope: Scope }) {
  const products = useTotalHoldValue(address, also).data?.by_product ?? [];
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {products.map(({ short_id }) => (
        <OfProduct key={short_id} shortId={short_id} wallets={[address, ...also]} />
      ))}
    </div>
  );
}

function OfProduct({ shortId, wallets }: { shortId: string; wallets: readonly string[] }) {
  return <AnnouncementList answer={useAnnouncements(shortId, wallets)} ofOneOfSeveral={shortId} />;
}
