/** An error that the operator can correct; printed as one line, without a stack. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** The server recorded the call, and another operator must make it too; the exit code is 3. */
export class WaitsForSecond extends Error {
  override name = "WaitsForSecond";
}

/** A command line that is not understood; the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Returns the server's address.
 * @throws CommandError
 */
export function serverUrl(environment: Record<string, string | undefined>): string {
  const url = environment.AQUA_URL?.trim() || "http://localhost:8080";
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandError("AQUA_URL must be a URL that starts with http:// or https://");
}
