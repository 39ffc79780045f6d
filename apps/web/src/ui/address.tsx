import { shortenAddress } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { CopyButton } from "./copy-button.tsx";

interface AddressProps {
  address: string;
  /** Accessible name of the copied content: "address", "hash". */
  what: string;
  /** Base URL of the chain's block explorer, if any. */
  explorer?: string | null | undefined;
  kind?: "address" | "tx";
  /** Shows the full text on wide screens, broken into two lines if necessary. */
  full?: boolean;
}

/** A hash or address in monospace, with a copy button and a link to the chain's explorer. */
export function Address({ address, what, explorer, kind = "address", full = false }: AddressProps) {
  const short = shortenAddress(address, 6);
  const text = full ? (
    <>
      <span className="lg:hidden">{short}</span>
      <span className="hidden break-all whitespace-normal lg:inline">{address}</span>
    </>
  ) : (
    short
  );
  return (
    <span className="inline-flex max-w-full items-center gap-1 font-mono text-14 whitespace-nowrap">
      {explorer ? (
        <a
          href={`${explorer}/${kind}/${address}`}
          target="_blank"
          rel="noopener noreferrer"
          className="link"
          title={address}
        >
          {text}
          <span className="sr-only"> {t("ui.newTab")}</span>
        </a>
      ) : (
        <span title={address}>{text}</span>
      )}
      <CopyButton text={address} what={what} className="size-7" />
    </span>
  );
}
