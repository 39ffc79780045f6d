import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ApiError } from "../../src/errors.ts";
import { imageRoutes } from "../../src/product/images.ts";
import { testApp } from "../support/app.ts";

async function open() {
  const productsDir = await mkdtemp(join(tmpdir(), "aqua-products-"));
  onTestFinished(() => rm(productsDir, { recursive: true }));
  await writeFile(
    join(productsDir, "river.svg"),
    "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
  );
  const names: Record<string, string | null> = { river: "river.svg", plain: null, lost: "lost.svg" };
  const imageOf = async (shortId: string) => {
    const name = names[shortId];
    if (name === undefined) throw new ApiError("pool_not_found", "No such product");
    return name;
  };
  return (await testApp({ features: [imageRoutes({ productsDir, imageOf })] })).app;
}

it("a product's picture is served so that a browser can only display it", async () => {
  const app = await open();
  const response = await app.inject("/api/v2/product/river/image");
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    "content-type": "image/svg+xml; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringMatching(/^default-src 'none';.*sandbox$/),
    "cache-control": "public, max-age=3600",
  });
  const etag = String(response.headers.etag);
  const again = await app.inject({ url: "/api/v2/product/river/image", headers: { "if-none-match": etag } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  await app.close();
});

it.each([
  ["unknown", 404, "pool_not_found"],
  ["plain", 404, "not_found"],
  ["lost", 404, "not_found"],
  ["..%2f..%2fetc", 400, "validation_error"],
])("no picture is served for %s", async (shortId, status, code) => {
  const app = await open();
  const response = await app.inject(`/api/v2/product/${shortId}/image`);
  expect([response.statusCode, response.json().error_code]).toEqual([status, code]);
  await app.close();
});
