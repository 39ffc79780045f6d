import { local } from "../../browser-storage.ts";
import { stored } from "../../stored-session.ts";

const key = "aqua.dismissedWallets";

interface Dismissed {
  day: string;
  /** The wallet, and whether somebody was logged in, because the options differ then. */
  offers: string[];
}

const today = () => new Date().toDateString();
const offerOf = (address: string) => `${address.toLowerCase()} ${stored("token") === null ? "visitor" : "account"}`;

function read(): Dismissed {
  try {
    const value = JSON.parse(local.get(key) ?? "null") as Partial<Dismissed> | null;
    if (value?.day === today() && Array.isArray(value.offers)) return { day: value.day, offers: value.offers };
  } catch {
    // An unreadable value counts as not dismissed.
  }
  return { day: today(), offers: [] };
}

/** Stores that the visitor dismissed the options for this wallet today. */
export function dismissOffer(address: string) {
  const { day, offers } = read();
  local.set(key, JSON.stringify({ day, offers: [...new Set([...offers, offerOf(address)])] }));
}

/** True if the options for this wallet were dismissed today. Visitors and accounts are counted separately. */
export function isOfferDismissed(address: string): boolean {
  return read().offers.includes(offerOf(address));
}
