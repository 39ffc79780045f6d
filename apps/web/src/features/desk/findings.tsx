import { t } from "../../i18n/i18n.ts";
import { AuditRecord } from "../transparency/audit-record.tsx";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";

/** What the audit of the stored figures has found, and the command that repeats it from outside. */
export function Findings() {
  return (
    <div className="min-w-0">
      <AuditRecord />
      <div className="mt-4">
        <Command line={commands.audit(location.origin)} does={t("desk.findings.command")} />
      </div>
    </div>
  );
}
