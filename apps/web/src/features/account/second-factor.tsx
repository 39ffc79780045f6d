import type { Factor } from "@aqua/sdk/api/auth";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { FactorForm } from "./factor-form.tsx";

interface SecondFactorProps {
  /** Logs in with this factor and the password entered before. */
  send: (factor: Factor) => Promise<void>;
  onBack: () => void;
}

/** The step after the password for an account with a second factor. */
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
