import { useEffect, useMemo, useState } from "react";
import { formatCountry } from "../../i18n/format.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { SelectField } from "../../ui/select-field.tsx";

interface CountryFieldProps {
  label: string;
  name: string;
  value: string;
  hint?: string;
  error: string | null;
  disabled?: boolean;
  onChange: (code: string) => void;
}

/**
 * Lists all countries by their names in the reader's language, sorted by that language's rules. The list loads after
 * the field.
 */
export function CountryField(props: CountryFieldProps) {
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState(false);
  const language = useLanguage();
  useEffect(() => {
    import("@aqua/sdk/countries").then(
      ({ countryCodes }) => setCodes(countryCodes),
      () => setFailed(true),
    );
  }, []);
  const options = useMemo(() => {
    const { compare } = new Intl.Collator(language);
    const named = codes.map((value) => ({ value, label: formatCountry(value) }));
    return named.sort((a, b) => compare(a.label, b.label));
  }, [codes, language]);
  return (
    <SelectField
      large
      autoComplete="country"
      {...props}
      error={props.error ?? (failed ? t("register.country.unreachable") : null)}
      aria-busy={options.length === 0 && !failed ? true : undefined}
      options={[{ value: "", label: t("register.country.choose") }, ...options]}
    />
  );
}
