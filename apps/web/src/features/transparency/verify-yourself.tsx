import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { formatBytes } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { type ProofSource, Verify } from "../readings/verify.tsx";
import { AskLine } from "./ask-line.tsx";
import { AskReceipt, type ReceiptTyped } from "./ask-receipt.tsx";
import { CheckFile } from "./batch-file-check.tsx";
import { CheckIncome } from "./income-check.tsx";
import { NamedSection } from "./named-section.tsx";
import { PickReading } from "./pick-reading.tsx";
import { CheckReceipt } from "./receipt-check.tsx";
import { CheckLine } from "./statement-line-check.tsx";

/** A batch file of 65 536 readings has about 26 MB; a larger file is not one of ours. */
const largest = 64 * 1024 * 1024;

type Question = { key: string } & (
  | { proof: ProofSource }
  | { name: string; file: Uint8Array }
  | { name: string; income: unknown }
  | { product: Reserves; id: string }
  | { hash: string; summary: TransparencySummary }
);

/** A proof has some kilobytes. A larger file is not parsed as a proof, because parsing would block the page. */
const largestProof = 256 * 1024;

/** Whether a file begins as the proof of an income does, which may be large. */
function isIncome(bytes: Uint8Array): boolean {
  return /^\s*\{\s*"format"\s*:\s*"aqua-income-proof-/.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}

/** A supplied file: the proof of a reading or of an income as parsed JSON, or a batch file as bytes. */
function questionOf(key: string, name: string, bytes: Uint8Array): Question {
  const income = isIncome(bytes);
  if (bytes.length > largestProof && !income) return { key, name, file: bytes };
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return income ? { key, name, income: json } : { key, proof: { proof: json } };
  } catch {
    // A batch file has one JSON object per line, so the whole is not valid JSON.
    return { key, name, file: bytes };
  }
}

let questionCount = 0;
const nextKey = () => `asked ${++questionCount}`;

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

const ways = ["pick", "paste", "file", "receipt", "line"] as const;
type Way = (typeof ways)[number];

/** Reads the check that the address requests, so that links can open it. */
function readAsked(search: URLSearchParams): { way: Way; receipt: ReceiptTyped; line: string } {
  const verify = search.get("verify");
  return {
    way: verify === "receipt" || verify === "line" || verify === "file" ? verify : "pick",
    receipt: { product: search.get("product") ?? "", id: search.get("receipt") ?? "" },
    line: search.get("tx") ?? "",
  };
}

/**
 * Verifies a reading, a proof, an income, a batch, a receipt or a statement line in this browser. The input is a file, typed text
 * or a choice.
 */
export default function VerifyYourself() {
  const [search] = useSearchParams();
  const [initial] = useState(() => readAsked(search));
  const [way, setWay] = useState<Way>(initial.way);
  const [question, setQuestion] = useState<Question | null>(null);
  const [receipt, setReceipt] = useState(initial.receipt);
  const [line, setLine] = useState(initial.line);
  const panels: Record<Way, ReactNode> = {
    pick: <PickReading onPick={(proof) => setQuestion({ key: nextKey(), proof })} />,
    paste: <Paste onAsk={setQuestion} />,
    file: <Drop onAsk={setQuestion} />,
    receipt: (
      <AskReceipt
        typed={receipt}
        onType={setReceipt}
        onAsk={(product, id) => setQuestion({ key: nextKey(), product, id })}
      />
    ),
    line: (
      <AskLine
        typed={line}
        onType={setLine}
        onAsk={(hash, summary) => setQuestion({ key: nextKey(), hash, summary })}
      />
    ),
  };
  const labels = { pick: "pick", paste: "paste", file: "drop", receipt: "receipt", line: "line" } as const;
  return (
    <NamedSection name="verify" intro={t("evidence.verify.intro")}>
      <div className="panel p-5">
        <Tabs
          label={t("evidence.verify")}
          value={way}
          onChange={(next) => {
            setWay(next);
            setQuestion(null);
          }}
          tabs={ways.map((value) => ({
            value,
            label: t(`evidence.verify.${labels[value]}`),
            panel: <div className="pt-5">{panels[value]}</div>,
          }))}
        />
        {question && (
          <div key={question.key} className="mt-6 border-t border-line pt-6">
            <Answer question={question} />
          </div>
        )}
      </div>
    </NamedSection>
  );
}

function Answer({ question }: { question: Question }) {
  if ("id" in question) return <CheckReceipt product={question.product} id={question.id} />;
  if ("income" in question)
    return (
      <div className="max-w-200">
        <CheckIncome name={question.name} file={question.income} />
      </div>
    );
  if ("hash" in question) return <CheckLine hash={question.hash} summary={question.summary} />;
  return (
    <div className="max-w-200">
      {"proof" in question ? (
        <Verify source={question.proof} />
      ) : (
        <CheckFile name={question.name} load={async () => question.file} />
      )}
    </div>
  );
}
