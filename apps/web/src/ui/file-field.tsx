import { FileCheck, Upload, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";

interface FileFieldProps {
  label: string;
  /** Accepted types and size, as text. */
  hint: string;
  /** Types for the browser's file dialog: MIME types or extensions, separated by commas. */
  accept: string;
  file: File | null;
  /** The size of `file` as text. */
  size: string;
  error?: string | null | undefined;
  onFile: (file: File | null) => void;
  /** Progress of the upload from 0 to 1; null if there is no upload. */
  progress?: number | null;
}

/** A field for one file, chosen in the browser's dialog or dropped on the frame. Requires the texts of `forms`. */
export function FileField({ label, hint, accept, file, size, error, onFile, progress = null }: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const locked = progress !== null;

  function take(next: File | null) {
    // Clears the input, so that the same file can be selected again after it was removed.
    if (input.current) input.current.value = "";
    onFile(next);
  }

  return (
    <div className="min-w-0">
      <p id={`${id}-label`} className="mb-1.5 text-14 font-strong">
        {label}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a dropped file can also be chosen with the input */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(!locked);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer.files[0];
          if (dropped && !locked) take(dropped);
        }}
        className={cx(
          "relative rounded-6 border border-dashed bg-surface transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
          over ? "border-accent bg-accent/8" : error ? "border-negative" : "border-line-strong/70 hover:border-accent",
        )}
      >
        <label
          htmlFor={id}
          className={cx("flex min-h-20 items-center gap-3 px-4 py-3", file && "pr-14", !locked && "cursor-pointer")}
        >
          {file ? (
            <FileCheck aria-hidden="true" className="size-6 shrink-0 text-accent" strokeWidth={1.75} />
          ) : (
            <Upload aria-hidden="true" className="size-6 shrink-0 text-accent" strokeWidth={1.75} />
          )}
          <span id={`${id}-what`} className="min-w-0 flex-1 text-14">
            <span className="block font-strong wrap-anywhere">{file ? file.name : t("forms.file.choose")}</span>
            <span className="block text-muted">{file ? size : hint}</span>
          </span>
        </label>
        <input
          ref={input}
          id={id}
          type="file"
          accept={accept}
          disabled={locked}
          aria-labelledby={`${id}-label ${id}-what`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) take(chosen);
          }}
          className="sr-only"
        />
        {file && !locked && (
          <button
            type="button"
            aria-label={t("forms.file.remove", { name: file.name })}
            onClick={() => {
              take(null);
              input.current?.focus();
            }}
            className="absolute top-1/2 right-2 grid size-10 -translate-y-1/2 place-items-center rounded-6 text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </button>
        )}
        {progress !== null && (
          <>
            <progress aria-label={t("forms.file.progress")} max={1} value={progress} className="sr-only" />
            <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1 bg-line">
              <span className="block h-full bg-accent transition-[width]" style={{ width: `${progress * 100}%` }} />
            </span>
          </>
        )}
      </div>
      {error && (
        <p id={`${id}-note`} role="alert" className="mt-1.5 text-14 text-negative">
          {error}
        </p>
      )}
    </div>
  );
}
