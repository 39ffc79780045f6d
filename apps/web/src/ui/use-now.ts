import { useEffect, useState } from "react";
import { useServedTime } from "../i18n/clock.ts";
import { clockDifference, now as serverNow } from "../server-clock.ts";

/** The current time by the server's clock in Unix milliseconds, updated every `interval` milliseconds while the page is visible. */
export function useNow(interval: number): number {
  const served = useServedTime();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const renew = () => {
      if (!document.hidden) setNow(serverNow());
    };
    const timer = setInterval(renew, interval);
    document.addEventListener("visibilitychange", renew);
    const stop = clockDifference.subscribe(renew);
    return () => {
      stop();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, [interval]);
  return served ?? now;
}
