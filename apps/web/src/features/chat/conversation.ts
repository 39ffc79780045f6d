import { useCallback, useEffect, useRef, useState } from "react";

export interface ChatMessage {
  id: string;
  content: string;
  sender: "user" | "ai";
  /** Unix milliseconds. */
  timestamp: number;
}

/** Milliseconds from a message to its answer. */
export const replyDelay = 1000;

/**
 * The messages of one visit. The state lives outside the panel, so a pending answer also arrives while the panel is
 * closed. Unmounting discards it.
 */
export function useConversation() {
  const [messages, setMessages] = useState<ChatMessage[]>([]);
  const [awaited, setAwaited] = useState(0);
  const count = useRef(0);
  const timers = useRef(new Set<number>());

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) clearTimeout(timer);
      running.clear();
    };
  }, []);

  /** Adds the visitor's trimmed message, and its answer after `replyDelay`. Returns false for a blank message. */
  const send = useCallback((text: string, answer: string): boolean => {
    const content = text.trim();
    if (content === "") return false;
    function add(sender: ChatMessage["sender"], words: string) {
      count.current += 1;
      const message = { id: `message-${count.current}`, content: words, sender, timestamp: Date.now() };
      setMessages((before) => [...before, message]);
    }
    add("user", content);
    setAwaited((before) => before + 1);
    const timer = window.setTimeout(() => {
      timers.current.delete(timer);
      setAwaited((before) => before - 1);
      add("ai", answer);
    }, replyDelay);
    timers.current.add(timer);
    return true;
  }, []);

  return { messages, answering: awaited > 0, send };
}
