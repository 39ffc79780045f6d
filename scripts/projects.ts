/** Every TypeScript project of the repository, one for each area. */
export const typeScriptProjects = [
  "contracts",
  "packages/sdk",
  "apps/operator",
  "apps/server",
  "apps/web",
  "devnet",
  "tests/e2e",
  "scripts",
];
