import { useState } from "react";
import { useNavigate } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { connectWallet, prefetchWallet } from "../open-wallet.ts";

/** Shown without a wallet: the visitor can connect one or view any wallet by its address. */
export default function NotConnected() {
  const navigate = useNavigate();
  const [address, setAddress] = useState("");
  const [wrong, setWrong] = useState(false);
  return (
    <div className="panel">
      <Empty
        title={t("portfolio.notConnected.title")}
        actions={
          <Button onPointerEnter={prefetchWallet} onFocus={prefetchWallet} onClick={connectWallet}>
            {t("shell.wallet.connect")}
          </Button>
        }
      >
        {t("portfolio.notConnected.text")}
      </Empty>
      <form
        noValidate
        className="mx-auto flex max-w-[640px] flex-wrap items-start gap-3 border-t border-line p-5 sm:flex-nowrap"
        onSubmit={(event) => {
          event.preventDefault();
          if (!/^0x[0-9a-fA-F]{40}$/.test(address.trim())) return setWrong(true);
          navigate(paths.portfolioOf(address.trim()));
        }}
      >
        <TextField
          label={t("portfolio.look.label")}
          placeholder="0x…"
          spellCheck={false}
          autoComplete="off"
          value={address}
          error={wrong ? t("portfolio.invalid.text") : null}
          onChange={(event) => {
            setAddress(event.target.value);
            setWrong(false);
          }}
          className="min-w-0 flex-1 basis-full"
        />
        <Button type="submit" look="secondary" className="sm:mt-6.5">
          {t("portfolio.look.show")}
        </Button>
      </form>
    </div>
  );
}
