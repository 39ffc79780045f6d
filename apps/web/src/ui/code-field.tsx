import { TextField, type TextFieldProps } from "./text-field.tsx";

interface CodeFieldProps extends Omit<TextFieldProps, "onChange" | "value"> {
  value: string;
  /** The number of digits of the code. */
  length: number;
  onCode: (digits: string) => void;
}

/** The digits of typed or pasted text such as "123 456". Full-width digits of East Asian keyboards are converted. */
export function digitsOf(text: string, length: number): string {
  return text.normalize("NFKC").replaceAll(/\D/g, "").slice(0, length);
}

/**
 * A short numeric code with a mark below each digit. It is a single field, so a code can be pasted, autofilled and read
 * out as a whole without moving the focus between digits.
 */
export function CodeField({ length, onCode, ...props }: CodeFieldProps) {
  return (
    <TextField
      {...props}
      figures
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      onChange={(event) => onCode(digitsOf(event.target.value, length))}
      style={{
        flex: "none",
        width: `${length * 2}ch`,
        maxWidth: "100%",
        letterSpacing: "1ch",
        background: "linear-gradient(90deg, var(--line-strong) 1ch, transparent 0) 0 80% / 2ch 1px repeat-x",
      }}
    />
  );
}
