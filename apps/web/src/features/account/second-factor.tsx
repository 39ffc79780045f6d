import type { Factor } from "@aqua/sdk/api/auth";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { FactorForm } from "./factor-form.tsx";

interface SecondFactorProps {
  /** Logs in with the password entered before and this factor. */
  send: (factor: Factor) => Promise<void>;
  onBack: () => void;
}

/** The step after the password, where the account has a second factor. */
export default function SecondFactor({ send, onBack }: SecondFactorProps) {
  return (
    <div className="flex flex-col gap-5">
      <h2 className="text-20">{t("security.factor.title")}</h2>
      <p className="text-14 text-muted">{t("security.factor.text")}</p>
      <FactorForm send={send}>
        <Button look="quiet" size="small" onClick={onBack}>
          {t("security.back")}
        </Button>
      </FactorForm>
    </div>
  );
}
