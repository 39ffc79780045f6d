import { join } from "node:path";

/** Set by the bundler of `npm run build`. */
declare const __BUNDLED__: true | undefined;

/** `apps/server`, or the folder that `npm run build` made. */
const here = join(import.meta.dirname, "..");
const root = join(here, "../..");

/**
 * Where the server reads what nobody configured. A build holds only what belongs to its version: what an operator or
 * the server writes is beside it, in the working directory, because an upgrade replaces the build.
 */
export const folders =
  typeof __BUNDLED__ === "undefined"
    ? {
        migrations: join(here, "migrations"),
        web: join(root, "apps/web/dist/production"),
        demoLegal: join(root, "devnet/legal"),
        data: join(root, ".aqua"),
        deployments: join(root, "contracts/deployments"),
        products: join(root, "devnet/products"),
      }
    : {
        migrations: join(here, "migrations"),
        web: join(here, "web"),
        demoLegal: join(here, "legal"),
        data: ".aqua",
        deployments: "deployments",
        products: "products",
      };
