/** The view settings of the product list except its filters; the address stores all of them. */
export const listViews = ["cards", "table"] as const;
export type ListView = (typeof listViews)[number];

/** Maximum number of products in a comparison. */
export const mostCompared = 3;
/** Products on one page of the list. */
export const listPageSize = 24;

export function readView(search: URLSearchParams): ListView {
  return search.get("view") === "table" ? "table" : "cards";
}

export function withView(search: URLSearchParams, view: ListView): URLSearchParams {
  const next = new URLSearchParams(search);
  if (view === "cards") next.delete("view");
  else next.set("view", view);
  return next;
}

/** Short ids chosen for comparison, without duplicates. */
export function readCompared(search: URLSearchParams): string[] {
  const ids = (search.get("compare") ?? "").split(",").filter((id) => /^[a-z0-9-]{1,32}$/.test(id));
  return [...new Set(ids)].slice(0, mostCompared);
}

/** Whether the comparison replaces the list. */
export function readSideBySide(search: URLSearchParams): boolean {
  return search.has("side") && readCompared(search).length > 1;
}

/** The address with these short ids chosen. With fewer than two, the comparison closes. */
export function withCompared(search: URLSearchParams, ids: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(search);
  if (ids.length > 0) next.set("compare", ids.join(","));
  else next.delete("compare");
  if (ids.length < 2) next.delete("side");
  return next;
}

/** The choice with `id` toggled; unchanged when the choice is full. */
export function toggled(ids: readonly string[], id: string): string[] {
  if (ids.includes(id)) return ids.filter((chosen) => chosen !== id);
  return ids.length < mostCompared ? [...ids, id] : [...ids];
}

export function withSideBySide(search: URLSearchParams, side: boolean): URLSearchParams {
  const next = new URLSearchParams(search);
  if (side) next.set("side", "1");
  else next.delete("side");
  return next;
}

/** From 1 to the last page. */
export function readListPage(search: URLSearchParams, total: number): number {
  const page = Number(search.get("page"));
  const last = Math.max(1, Math.ceil(total / listPageSize));
  return Number.isSafeInteger(page) && page >= 1 ? Math.min(page, last) : 1;
}

export function withListPage(search: URLSearchParams, page: number): URLSearchParams {
  const next = new URLSearchParams(search);
  if (page > 1) next.set("page", String(page));
  else next.delete("page");
  return next;
}
