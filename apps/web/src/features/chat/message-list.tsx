import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { language, t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { assistant } from "./assistant.ts";
import type { ChatMessage } from "./conversation.ts";

/** Distance from the end, in pixels, within which the reader counts as being at the newest message. */
const nearEnd = 40;

/**
 * Lists the messages, oldest first. It follows the newest message unless the reader has scrolled up. A live region
 * announces messages.
 */
export function MessageList({ messages, answering }: { messages: ChatMessage[]; answering: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [hasUnread, setHasUnread] = useState(false);
  const newest = messages.at(-1);
  const previousNewest = useRef(newest);

  function toEnd() {
    following.current = true;
    setHasUnread(false);
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message and the indicator are the triggers
  useLayoutEffect(() => {
    const arrived = previousNewest.current !== newest;
    previousNewest.current = newest;
    // After sending a message the reader no longer reads earlier ones.
    if (following.current || (arrived && newest?.sender === "user")) toEnd();
    else if (arrived) setHasUnread(true);
  }, [newest, answering]);

  // The prompts, the text being written and a rotated phone change the height of the list.
  useEffect(() => {
    const element = list.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  function onScroll() {
    const element = list.current;
    if (!element) return;
    following.current = element.scrollHeight - element.scrollTop - element.clientHeight <= nearEnd;
    if (following.current) setHasUnread(false);
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={list}
        role="log"
        aria-live="polite"
        aria-label={t("chat.log")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overscroll-contain px-5 py-5 -outline-offset-2"
      >
        <p className="text-14 text-muted">{t("chat.intro")}</p>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {answering && (
          <p className="flex items-center gap-2 text-14 text-muted">
            <Dots />
            {t("chat.typing", { name: assistant })}
          </p>
        )}
      </div>
      {hasUnread && (
        <Button
          look="secondary"
          size="small"
          icon={<ArrowDown aria-hidden="true" className="size-4" strokeWidth={1.75} />}
          onClick={() => {
            toEnd();
            // The button disappears after the press, so the focus moves to the list.
            list.current?.focus({ preventScroll: true });
          }}
          className="absolute bottom-3 self-center shadow-float"
        >
          {t("chat.newest")}
        </Button>
      )}
    </div>
  );
}

function Message({ message }: { message: ChatMessage }) {
  const own = message.sender === "user";
  const time = new Intl.DateTimeFormat(language(), { timeStyle: "short" }).format(message.timestamp);
  return (
    <div
      data-sender={message.sender}
      className={cx("flex max-w-[88%] shrink-0 flex-col gap-1", own ? "items-end self-end" : "items-start self-start")}
    >
      <p
        className={cx(
          "max-w-full rounded-12 px-4 py-3 text-14 whitespace-pre-line wrap-anywhere",
          own ? "bg-accent text-on-accent" : "border border-line bg-ground text-ink",
        )}
      >
        <span className="sr-only">{t("chat.from", { name: own ? t("chat.you") : assistant })} </span>
        {message.content}
      </p>
      <time dateTime={new Date(message.timestamp).toISOString()} className="px-1 text-12 text-muted">
        {time}
      </time>
    </div>
  );
}

function Dots() {
  return (
    <span aria-hidden="true" className="flex gap-1">
      {["", "[animation-delay:200ms]", "[animation-delay:400ms]"].map((delay) => (
        <span key={delay} className={cx("size-1.5 animate-wait rounded-full bg-accent", delay)} />
      ))}
    </span>
  );
}
