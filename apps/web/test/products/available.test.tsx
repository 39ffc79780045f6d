import { screen } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { Conditions } from "../../src/features/about/conditions.tsx";
import { MainRisks } from "../../src/features/product/main-risks.tsx";
import { exitText } from "../../src/features/product/notice-list.tsx";
import { Terms } from "../../src/features/product/term-table.tsx";
import { Yield } from "../../src/features/product/yield.tsx";
import Comparison from "../../src/features/products/comparison.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";
import { aDemand, aTime } from "./details.ts";

const capacity = { instant_capacity: "50633.608518", tvl: "90000.000000" };

beforeAll(() => loadTexts("about", "compare", "product"));

describe("the amount that is available now", () => {
  it("is rounded down among the main risks and the notices of a product, and where its income is explained", () => {
    renderPage(<MainRisks product={aDemand(capacity)} />, "/", "/");
    expect(screen.getByText(/^Cash available now, to all depositors together: 50,633\.60 tUSD/)).toBeTruthy();
    expect(exitText(aDemand(capacity))).toMatch(/^50,633\.60 tUSD are available to all depositors now/);
    renderPage(<Yield product={aDemand(capacity)} />, "/", "/");
    expect(screen.getByText("50,633.60 tUSD")).toBeTruthy();
    // The price has the same six decimals as in the panel.
    expect(screen.getByText(/^\d\.\d{6} tUSD$/)).toBeTruthy();
  });

  it("is rounded down beside other products", () => {
    const products = [makeProduct(capacity), makeProduct({ short_id: "hydro" })];
    renderPage(
      <Comparison products={products} balances={null} takesFocus={false} onRemove={() => {}} onBack={() => {}} />,
      "/",
      "/",
    );
    expect(screen.getByTitle("50633.608518 tUSD").textContent).toBe("50,633.60tUSD");
  });

  it("is rounded down in whole units", () => {
    const { conditions } = makeProduct();
    const cash = { ...conditions, cash: capacity.instant_capacity };
    renderPage(<Conditions products={[makeProduct({ ...capacity, conditions: cash })]} />, "/", "/");
    const figures = screen.getAllByTitle("50633.608518 tUSD").map(({ textContent }) => textContent);
    // The cash in the contract, and the amount available now.
    expect(figures).toEqual(["50,633tUSD", "50,633tUSD"]);
  });

  it("is rounded down as the room of a term", () => {
    const product = aTime();
    const terms = product.terms.map((term) => ({ ...term, open: true, room: "408335.900000" }));
    renderPage(<Terms product={{ ...product, terms }} />, "/", "/");
    expect(screen.getAllByTitle("408335.900000 tUSD")[0]?.textContent).toBe("408,335tUSD");
  });
});
