/** `npm run test:mutants`: runs contracts/scripts/mutants.mjs. Its options come after `--`. */
import "../contracts/scripts/mutants.mjs";
