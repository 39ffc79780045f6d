/** `npm run test:mutants`: contracts/scripts/mutants.mjs, whose options come after `--`. */
import "../contracts/scripts/mutants.mjs";
