import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Checking } from "../readings/checking.tsx";
import { Outcome } from "../readings/outcome.tsx";
import { fileStep } from "./file-words.ts";

interface CheckFileProps {
  /** Tells one file from another. */
  name: string;
  load: (signal: AbortSignal) => Promise<Uint8Array>;
}

/** Checks a whole batch in this browser: each signature, the chain of each device, the tree, and the head on chain. */
export function CheckFile({ name, load }: CheckFileProps) {
  const checked = useQuery({
    queryKey: ["transparency", "file", name] as const,
    queryFn: async ({ signal }) => {
      const [{ checkFile }, file] = await Promise.all([import("./file-check.ts"), load(signal)]);
      return checkFile(file);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (checked.data === undefined)
    return <Checking check={checked} failed={t("evidence.file.failed")} checking={t("evidence.file.checking")} />;
  const { data } = checked;
  return (
    <div className="flex flex-col gap-4" aria-busy={checked.isFetching || undefined}>
      {data.batch && (
        <p className="text-14">
          {t("evidence.file.about", {
            number: formatCount(data.batch.number),
            product: data.batch.short_id,
            count: data.batch.count,
          })}
        </p>
      )}
      <Outcome
        {...data}
        steps={data.steps.map(fileStep)}
        passed={t("evidence.file.pass")}
        stopped={(verdict, at) => t(`evidence.file.${verdict}`, at)}
      />
      <p className="text-12 text-muted">
        {t("evidence.file.command")} <code className="font-mono break-all text-ink">npx aqua verify {name}</code>
      </p>
      <div>
        <Button size="small" look="quiet" busy={checked.isFetching} onClick={() => checked.refetch()}>
          {t("readings.proof.again")}
        </Button>
      </div>
    </div>
  );
}
