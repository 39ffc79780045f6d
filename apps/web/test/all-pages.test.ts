import { expect, it } from "vitest";
import { allPages } from "../src/features/all-pages.ts";

const rows = Array.from({ length: 230 }, (_, index) => ({ id: `row ${index}` }));

it("a list of any length is fetched in pages of a hundred and keeps its order", async () => {
  const asked: number[] = [];
  const list = await allPages(
    async ({ page, page_size }) => {
      asked.push(page);
      return { items: rows.slice((page - 1) * page_size, page * page_size), total: rows.length, page, page_size };
    },
    (row) => row.id,
  );
  expect(list.items).toEqual(rows);
  expect(list.total).toBe(230);
  expect(asked).toEqual([1, 2, 3]);
});

it("a row that moved to the next page between two responses is listed once", async () => {
  const list = await allPages(
    async ({ page, page_size }) => ({
      items: page === 1 ? rows.slice(0, 100) : rows.slice(99, 120),
      total: 120,
      page,
      page_size,
    }),
    (row) => row.id,
  );
  expect(list.items).toEqual(rows.slice(0, 120));
});
