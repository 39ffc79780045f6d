import { useState } from "react";
import { type ProofSource, Verify } from "../../features/readings/verify.tsx";
import { CheckFile } from "../../features/transparency/check-file.tsx";
import { formatBytes } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { Section } from "../../ui/section.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { PickReading } from "./pick-reading.tsx";

/** A batch file of 65 536 readings has some 26 MB; more is none of ours. */
const largest = 64 * 1024 * 1024;

type Question = { key: string } & ({ proof: ProofSource } | { name: string; file: Uint8Array });

/** What somebody brought: a proof as it is parsed, or a batch file to the byte. */
function questionOf(key: string, name: string, bytes: Uint8Array): Question {
  try {
    return { key, proof: { proof: JSON.parse(new TextDecoder().decode(bytes)) as unknown } };
  } catch {
    // A batch file is a line of JSON after the other, which together are none.
    return { key, name, file: bytes };
  }
}

let asked = 0;
const nextKey = () => `asked ${++asked}`;

function Paste({ onAsk }: { onAsk: (question: Question) => void }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  function submit() {
    try {
      const proof: unknown = JSON.parse(text);
      setWrong(false);
      onAsk({ key: nextKey(), proof: { proof } });
    } catch {
      setWrong(true);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="flex flex-col gap-3"
    >
      <label className="flex flex-col gap-1.5 text-14 font-strong">
        {t("evidence.verify.proof")}
        <textarea
          value={text}
          onChange={(event) => setText(event.target.value)}
          rows={6}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder={'{"format":"aqua-reading-proof-1", …}'}
          aria-invalid={wrong || undefined}
          className="w-full rounded-6 border border-line-strong/70 bg-surface p-3 font-mono text-12 font-normal"
        />
      </label>
      {wrong && (
        <p role="alert" className="text-14 text-negative">
          {t("evidence.verify.notJson")}
        </p>
      )}
      <div>
        <Button type="submit" disabled={text.trim() === ""}>
          {t("evidence.verify.check")}
        </Button>
      </div>
    </form>
  );
}

function Drop({ onAsk }: { onAsk: (question: Question | null) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);
  async function take(next: File | null) {
    setFile(next);
    setError(null);
    onAsk(null);
    if (!next) return;
    if (next.size > largest) return setError(t("evidence.verify.tooLarge"));
    try {
      onAsk(questionOf(nextKey(), next.name, new Uint8Array(await next.arrayBuffer())));
    } catch {
      setError(t("evidence.verify.unreadable"));
    }
  }
  return (
    <FileField
      label={t("evidence.verify.file")}
      hint={t("evidence.verify.file.hint")}
      accept=".json,.ndjson,application/json,application/x-ndjson"
      file={file}
      size={file ? formatBytes(file.size) : ""}
      error={error}
      onFile={take}
    />
  );
}

/** A reading, a proof or a whole batch: brought along or picked, and checked in this browser. */
export function VerifyYourself() {
  const [way, setWay] = useState<"pick" | "paste" | "file">("pick");
  const [question, setQuestion] = useState<Question | null>(null);
  const tabs = [
    {
      value: "pick" as const,
      label: t("evidence.verify.pick"),
      panel: <PickReading onPick={(proof) => setQuestion({ key: nextKey(), proof })} />,
    },
    { value: "paste" as const, label: t("evidence.verify.paste"), panel: <Paste onAsk={setQuestion} /> },
    { value: "file" as const, label: t("evidence.verify.drop"), panel: <Drop onAsk={setQuestion} /> },
  ];
  return (
    <Section title={t("evidence.verify")} intro={t("evidence.verify.intro")}>
      <div className="panel p-5">
        <Tabs
          label={t("evidence.verify")}
          value={way}
          onChange={(next) => {
            setWay(next);
            setQuestion(null);
          }}
          tabs={tabs.map((tab) => ({ ...tab, panel: <div className="pt-5">{tab.panel}</div> }))}
        />
        {question && (
          <div key={question.key} className="mt-6 max-w-200 border-t border-line pt-6">
            {"proof" in question ? (
              <Verify source={question.proof} />
            ) : (
              <CheckFile name={question.name} load={async () => question.file} />
            )}
          </div>
        )}
      </div>
    </Section>
  );
}
