import { stored } from "../../stored-session.ts";

const key = "aqua.dismissedWallets";

interface Dismissed {
  day: string;
  /** Wallet and account e-mail (empty for a visitor), since other options are offered once logged in. */
  offers: string[];
}

const today = () => new Date().toDateString();
const offerOf = (address: string) => `${address.toLowerCase()} ${stored("email") ?? ""}`;

function read(): Dismissed {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Dismissed> | null;
    if (value?.day === today() && Array.isArray(value.offers)) return { day: value.day, offers: value.offers };
  } catch {
    // What cannot be read counts as not dismissed.
  }
  return { day: today(), offers: [] };
}

/** Remembers for today that the visitor dismissed the options for this wallet. */
export function dismissOffer(address: string) {
  const { day, offers } = read();
  try {
    localStorage.setItem(key, JSON.stringify({ day, offers: [...new Set([...offers, offerOf(address)])] }));
  } catch {
    // Without storage the dialog shows again at the next visit.
  }
}

/** Whether the options for this wallet were dismissed today, by the same account or visitor. */
export function isOfferDismissed(address: string): boolean {
  return read().offers.includes(offerOf(address));
}
