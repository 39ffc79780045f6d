import { useEffect, useState } from "react";
import { useServedTime } from "../i18n/clock.ts";

/** The current time in Unix milliseconds, updated every `interval` milliseconds while the page is visible. */
export function useNow(interval: number): number {
  const served = useServedTime();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const renew = () => {
      if (!document.hidden) setNow(Date.now());
    };
    const timer = setInterval(renew, interval);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, [interval]);
  return served ?? now;
}
