import type { ProductDetail } from "@aqua/sdk/api/product";
import Devices from "./devices.tsx";
import Links from "./links.tsx";

/** The devices of a product, and how a report of its income leads back to them. */
export default function DevicesTab({ product }: { product: ProductDetail }) {
  return (
    <>
      <Devices shortId={product.short_id} />
      {product.type === "demand_deposit" && <Links product={product} />}
    </>
  );
}
