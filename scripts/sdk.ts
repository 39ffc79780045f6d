/** `npm run sdk`: builds the SDK as ES modules with types and packs it, for projects outside this repository. */
import { join } from "node:path";
import { packSdk, root } from "./packSdk.ts";

console.log(packSdk(join(root, "packages/sdk/dist")));
