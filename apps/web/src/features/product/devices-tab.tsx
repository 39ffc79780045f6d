import type { ProductDetail } from "@aqua/sdk/api/product";
import Devices from "./devices.tsx";
import Links from "./links.tsx";

/** Lists the devices of a product and shows how an income report leads back to them. */
export default function DevicesTab({ product }: { product: ProductDetail }) {
  return (
    <>
      <Devices shortId={product.short_id} />
      {product.type === "demand_deposit" && <Links product={product} />}
    </>
  );
}
