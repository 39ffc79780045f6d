import { useHoldings } from "../../features/portfolio/holdings.ts";
import { Activity } from "./activity.tsx";
import { Holdings } from "./holdings.tsx";
import { Summary } from "./summary.tsx";

/** Everything about one wallet. `own` adds what only its holder can do. */
export default function Portfolio({ address, own }: { address: `0x${string}`; own: boolean }) {
  const holdings = useHoldings(address);
  return (
    <>
      <Summary address={address} holdings={holdings.data?.items} />
      <Holdings own={own} holdings={holdings} />
      <Activity address={address} own={own} />
    </>
  );
}
