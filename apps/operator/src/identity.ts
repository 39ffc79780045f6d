import { writeFile } from "node:fs/promises";
import type { List } from "@aqua/sdk/api/envelope";
import type { IdentityCaseDetail, IdentityCaseLine } from "@aqua/sdk/api/operator";
import { CommandError } from "./api.ts";
import { detailOf, tableOf } from "./caseTable.ts";
import { operatorApi } from "./operatorApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

interface Options {
  json?: true | undefined;
}

/** `aqua identity list` */
export async function listCases(
  { status, page, json }: Options & { status: string; page: string },
  terminal: Terminal,
): Promise<void> {
  const query = new URLSearchParams({ status, page });
  const list = await operatorApi(terminal).json<List<IdentityCaseLine>>(`identity?${query}`);
  terminal.out(json ? jsonText(list) : tableOf(list.items, list.total));
}

/** `aqua identity show` */
export async function showCase(id: string, { json }: Options, terminal: Terminal): Promise<void> {
  const found = await operatorApi(terminal).json<IdentityCaseDetail>(pathOf(id));
  terminal.out(json ? jsonText(found) : detailOf(found));
}

/** `aqua identity document` */
export async function saveDocument(
  id: string,
  { out, json }: Options & { out?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { content, type } = await operatorApi(terminal).file(`${pathOf(id)}/document`);
  const file = out ?? `${id}.${type.split("/")[1] ?? "bin"}`;
  // The document is personal: only the operator may read the file, and no other file is overwritten.
  await writeFile(file, content, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === "EEXIST"
        ? `${file} exists already; --out names another file`
        : `${file} cannot be written: ${error.code}`,
    );
  });
  terminal.out(json ? jsonText({ file, type, size: content.length }) : `Saved ${file}\n`);
}

/** `aqua identity approve` */
export async function approveCase(
  id: string,
  { days, json }: Options & { days: string },
  terminal: Terminal,
): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new CommandError("--days must be a whole number from 1 to 3650");
  const body = { valid_days: Number(days) };
  const found = await operatorApi(terminal).json<IdentityCaseDetail>(`${pathOf(id)}/approve`, body);
  terminal.out(json ? jsonText(found) : detailOf(found));
}

/** `aqua identity reject` and `aqua identity revoke` */
export async function refuseCase({
  act,
  id,
  options: { reason, json },
  terminal,
}: {
  act: "reject" | "revoke";
  id: string;
  options: Options & { reason?: string | undefined };
  terminal: Terminal;
}): Promise<void> {
  if (reason === undefined || reason.trim() === "")
    throw new CommandError("--reason must say why; the person reads it");
  const found = await operatorApi(terminal).json<IdentityCaseDetail>(`${pathOf(id)}/${act}`, { reason });
  terminal.out(json ? jsonText(found) : detailOf(found));
}

const pathOf = (id: string) => `identity/${encodeURIComponent(id)}`;
