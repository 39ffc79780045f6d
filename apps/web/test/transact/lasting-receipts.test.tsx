import type { Holding } from "@aqua/sdk/api/portfolio";
import { act, renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useLastingReceipts } from "../../src/features/transact/term/use-lasting-receipts.ts";

const receipt = (id: string) => ({ chain_id: 31337, short_id: "wind", deposit_id: id }) as Holding;
const [one, two] = [receipt("1"), receipt("2")];

function look(holdings: Holding[], of = "wind 0x1") {
  return renderHook((props: { holdings: Holding[]; of: string }) => useLastingReceipts(props.holdings, props.of), {
    initialProps: { holdings, of },
  });
}
const told = (hook: ReturnType<typeof look>) =>
  hook.result.current.receipts.map(({ holding, isUnlisted }) => `${holding.deposit_id}${isUnlisted ? " gone" : ""}`);

describe("the receipts on a page", () => {
  it("stay until their outcome is dismissed", () => {
    const hook = look([one, two]);
    hook.rerender({ holdings: [two], of: "wind 0x1" });
    expect(told(hook)).toEqual(["1 gone", "2"]);
    act(() => hook.result.current.forget(one));
    expect(told(hook)).toEqual(["2"]);
  });

  it("return unchanged when the server lists them again", () => {
    const hook = look([one]);
    hook.rerender({ holdings: [], of: "wind 0x1" });
    hook.rerender({ holdings: [{ ...one }], of: "wind 0x1" });
    expect(told(hook)).toEqual(["1"]);
  });

  it("disappear once the wallet changes", () => {
    const hook = look([one]);
    hook.rerender({ holdings: [], of: "wind 0x2" });
    expect(told(hook)).toEqual([]);
  });

  it("do not cause endless renders when the list is a new array at each render", () => {
    let renders = 0;
    renderHook(() => {
      renders += 1;
      return useLastingReceipts([one], "wind 0x1");
    });
    expect(renders).toBeLessThan(5);
  });
});
