import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { t } from "../i18n/i18n.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

/** A password field whose text can be revealed. Requires the texts of `forms`. */
export function PasswordField(props: Omit<TextFieldProps, "type" | "end">) {
  const [revealed, setRevealed] = useState(false);
  const Icon = revealed ? EyeOff : Eye;
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={revealed ? "text" : "password"}
      end={
        <button
          type="button"
          aria-pressed={revealed}
          aria-label={t("forms.showPassword")}
          onClick={() => setRevealed(!revealed)}
          className="-mr-2 grid size-9 shrink-0 place-items-center rounded-6 text-muted hover:text-ink"
        >
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
        </button>
      }
    />
  );
}
