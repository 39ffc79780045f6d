import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ProductPicture } from "../../src/features/products/picture.tsx";

afterEach(cleanup);

it("a picture in view loads before scripts, any other when the reader scrolls to it", () => {
  const { container } = render(
    <>
      <ProductPicture shortId="alps-hydro" image="river.svg" eager />
      <ProductPicture shortId="sahel-solar" image="panels.svg" />
    </>,
  );
  const asked = [...container.querySelectorAll("img")].map((image) =>
    ["loading", "fetchpriority"].map((name) => image.getAttribute(name)),
  );
  expect(asked).toEqual([
    ["eager", "high"],
    ["lazy", "auto"],
  ]);
});
