import { formatDateTime } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";

export const place = "pointer-events-none inset-x-0 flex justify-center p-3 print:static";
export const frame =
  "panel pointer-events-auto flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-14 shadow-float";
const id = "first-notice";

/** What a kept page says while the server is asked. `time` of its figures, Unix milliseconds. */
export const renewing = (time: number) => t("shell.kept.renewing", { time: formatDateTime(time) });

/**
 * The notice of a page that is kept now, as HTML beside what React renders: it is there from the first paint of the next
 * visit, and nothing of it has to be taken over.
 */
export function firstNotice(time: number): string {
  const notice = document.createElement("div");
  notice.id = id;
  notice.className = `fixed top-16 z-40 ${place}`;
  const text = document.createElement("p");
  text.className = frame;
  text.textContent = renewing(time);
  notice.append(text);
  return notice.outerHTML;
}

export function removeFirstNotice(): void {
  document.getElementById(id)?.remove();
}
