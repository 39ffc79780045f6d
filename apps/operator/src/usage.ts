export const usage = `Usage: aqua identity <command>

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
