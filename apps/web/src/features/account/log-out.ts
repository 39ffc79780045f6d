import { t } from "../../i18n/i18n.ts";
import { forgetSession } from "../../stored-session.ts";
import { toast } from "../../ui/toast.tsx";
import { api } from "../api.ts";

/** The time that a log-out waits for the server, in milliseconds. The browser logs out in any case. */
const logoutWait = 2_000;
/**
 * The time that the page shows "the server did not confirm", in milliseconds. It equals the time that a toast is shown.
 */
const readingTime = 5_000;

/**
 * Ends the session on the server if it is reachable, deletes the stored log-in, and reloads, so that no data of the
 * session stays in memory. If the server did not confirm, shows a message before the reload. Never throws.
 */
export async function logOut(reload: () => void = () => location.reload()): Promise<void> {
  // The call reads the token before it is deleted.
  const ended = api.logout().then(() => true, hasNoSession);
  forgetSession();
  if (!(await Promise.race([ended, pause(logoutWait)]))) {
    toast({ title: t("shell.unconfirmedLogOut"), look: "error" });
    await pause(readingTime);
  }
  reload();
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** True if a call failed because the server has no such session. False if the call did not reach the server. */
function hasNoSession(failure: { error_code?: string } | null): boolean {
  return failure?.error_code === "logout_error" || failure?.error_code === "token_error";
}
