import { t } from "../../i18n/i18n.ts";
import { forgetSession } from "../../stored-session.ts";
import { toast } from "../../ui/toast.tsx";
import { api } from "../api.ts";

/** How long a log-out waits for the server, in milliseconds; the browser logs out in any case. */
const logoutWait = 2_000;
/** How long the page stays to say that the server did not confirm, in milliseconds: as long as a message is shown. */
const readingTime = 5_000;

/**
 * Ends the session at the server if it is reachable, deletes the log-in and reloads, so that nothing of it stays in
 * memory. Says before that if the server did not confirm; a call on its way goes on after it. Never throws.
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

/** Whether a call failed because the server has no such session, not because it did not get that far. */
function hasNoSession(failure: { error_code?: string } | null): boolean {
  return failure?.error_code === "logout_error" || failure?.error_code === "token_error";
}
