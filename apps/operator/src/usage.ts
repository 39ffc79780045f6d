const identityUsage = `Usage: aqua identity <command>

  list [--status pending|verified|rejected|expired] [--page N]
                                who waits to be verified, longest first
  show <case>                   what was submitted
  document <case> [--out FILE]  saves the document; without --out as <case>.<type> in this folder
  approve <case> [--days N]     verifies the person, for a year unless said otherwise
  reject <case> --reason TEXT   turns the submission down; the person reads the reason
  revoke <case> --reason TEXT   takes a verification back; the person reads the reason

  --json                        the server's answer instead of words

Settings, from the environment:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with
`;

export const deployUsage = `Usage: aqua deploy --config FILE [--send]

  --config FILE      what to deploy, and who holds which role; see docs/deploying.md
  --send             does it; without it the steps, their gas and addresses are shown, and nothing is changed
  --rpc URL          a node of the chain (default: the first of RPC_URL_<chain id>)
  --deployer ADDRESS whose steps a dry run shows, where there is no key
  --plain-create     without the CREATE2 proxy: the addresses differ from those on other chains
  --out FOLDER       where <chain id>.json goes (default contracts/deployments)
  --start-block N    since which block the contracts stand, where no note of it is left
  --confirmations N  blocks to wait for after each transaction (default 1)

Settings, from the environment:
  DEPLOYER_KEY       the deployer's private key; it ends without any role
`;

export const usage = `${identityUsage}\n${deployUsage}`;
