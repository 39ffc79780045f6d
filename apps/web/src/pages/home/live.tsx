import type { Product } from "@aqua/sdk/api/product";
import { type Loaded, type Reported, useLatestEvents } from "../../features/home/instance.ts";
import { bestOpen } from "../../features/products/best-rate.ts";
import { ProductCard } from "../../features/products/card.tsx";
import { ProductCardSkeleton } from "../../features/products/card-skeleton.tsx";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { Events } from "./events.tsx";

const types = ["demand_deposit", "time_deposit"] as const;

/** The content below the first screen: the latest events and the best open product of each type. */
export default function Live({ products, reported }: { products: Product[] | undefined; reported: Loaded<Reported> }) {
  const events = useLatestEvents(products, reported);
  const bests = types.flatMap((type) => bestOpen((products ?? []).filter((product) => product.type === type)) ?? []);
  return (
    <div className="grid items-start gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Events events={events} />
      {(bests.length > 0 || !products) && (
        <Section title={t("home.best")}>
          <div className="grid gap-5">
            {bests.length > 0 ? (
              bests.map((product) => <ProductCard key={product.short_id} product={product} />)
            ) : (
              <ProductCardSkeleton />
            )}
          </div>
        </Section>
      )}
    </div>
  );
}
