import type { List } from "@aqua/sdk/api/envelope";

/** The API's maximum page size. */
const pageSize = 100;

/**
 * Reads every row of a list page by page. Rows are deduplicated by key, because they may move between two responses.
 */
export async function allPages<Item>(
  ask: (page: { page: number; page_size: number }) => Promise<List<Item>>,
  keyOf: (item: Item) => string,
): Promise<List<Item>> {
  const first = await ask({ page: 1, page_size: pageSize });
  const pages = Math.ceil(first.total / pageSize);
  const others = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, index) => ask({ page: index + 2, page_size: pageSize })),
  );
  const rows = new Map([first, ...others].flatMap(({ items }) => items).map((item) => [keyOf(item), item]));
  return { items: [...rows.values()], total: first.total, page: 1, page_size: Math.max(pageSize, first.total) };
}
