import { DAY } from "@aqua/sdk/durations";
import { DEMO_DEPOSITOR } from "../accounts.ts";
import { dollars } from "../products.ts";
import { crowded, type Intent } from "./intents.ts";
import type { OpenIntent } from "./termIntents.ts";

const MINUTE = 60;

type DemoIntent =
  | Intent
  | OpenIntent
  | { kind: "request"; time: number; depositor: number; shortId: string; perThousand: number };

/**
 * Actions of the demo wallet in a world of `seconds`: its owner finds a year of holdings, a payout to collect, a pending
 * request, and a time deposit that matures minutes after the world's first start. Times are seconds after the world's
 * start; actions before it are left out.
 */
export function* demoIntents(seconds: number): Generator<DemoIntent> {
  const depositor = DEMO_DEPOSITOR;
  const part = (perThousand: number) => Math.floor((seconds * perThousand) / 1_000);
  const deposit = (shortId: string, after: number, amount: number): DemoIntent => ({
    kind: "deposit",
    time: part(after),
    depositor,
    shortId,
    assets: dollars(amount),
  });
  yield { kind: "onboard", time: part(20), depositor };
  yield deposit("alps-hydro", 25, 6_000);
  yield deposit(crowded, 60, 4_000);
  yield deposit("aegean-water", 90, 5_000);
  yield deposit("alps-hydro", 400, 1_500);
  yield { kind: "withdraw", time: part(700), depositor, shortId: "alps-hydro", perThousand: 150 };
  // Payable and paid within days. Only its owner collects it.
  yield { kind: "request", time: seconds - 12 * DAY, depositor, shortId: "aegean-water", perThousand: 300 };
  yield { kind: "request", time: seconds - 2.6 * DAY, depositor, shortId: crowded, perThousand: 350 };
  const opened = { kind: "open", depositor } as const;
  yield {
    ...opened,
    time: part(130),
    shortId: "amman-mains",
    termId: 1,
    principal: dollars(2_000),
    outcome: { kind: "close", days: 2 },
  };
  yield {
    ...opened,
    time: seconds - 120 * DAY,
    shortId: "jutland-biogas",
    termId: 1,
    principal: dollars(3_000),
    outcome: { kind: "close", days: 60 },
  };
  yield {
    ...opened,
    time: seconds - 14 * DAY + MATURES_AFTER,
    shortId: "amman-mains",
    termId: 0,
    principal: dollars(2_500),
    outcome: { kind: "close", days: 60 },
    exact: true,
  };
}

/** From the end of the seeded time, a minute before the first start, to the maturity of the deposit of two weeks. */
const MATURES_AFTER = 12 * MINUTE;
