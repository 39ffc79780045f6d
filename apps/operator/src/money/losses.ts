import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { CommandError } from "../api.ts";
import type { Terminal } from "../terminal.ts";
import { amountOf, amountText, boundOf, contractOf, deskOf, type Options, over, type WithAmount } from "./acts.ts";
import { type Act, carryOut } from "./carryOut.ts";
import { lossUnderReview, type MoneyProduct, moment, type State } from "./product.ts";

const confirmer = { role: "confirmer", keySetting: "CONFIRMER_PRIVATE_KEY", pays: 0n } as const;

/** `aqua money confirm-loss` */
export async function confirmLoss(shortId: string, options: Options, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  const review = lossUnderReview(state, time);
  const act: Act = {
    ...{ name: "confirm-loss", ...confirmer, refusal: null, bounds: reviewBounds(product, state, time) },
    what:
      review === null
        ? `let the next large loss of ${shortId} be reviewed before 7 days have passed`
        : `confirm the loss of ${amountText(product)(review.amount)} of ${shortId}${effectOf(state)}`,
    call: { ...contractOf(product), functionName: "confirmLoss", args: [] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money take-back-loss` */
export async function takeBackLoss(shortId: string, options: Options, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  const review = lossUnderReview(state, time);
  const late =
    review === null
      ? "no loss is under review"
      : review.until > time
        ? null
        : `a loss could be taken back until ${moment(review.until)}; \`aqua money settle-loss\` books it`;
  const act: Act = {
    ...{ name: "take-back-loss", ...confirmer, refusal: late, bounds: reviewBounds(product, state, time) },
    what: `take back the loss of ${amountText(product)(review?.amount ?? 0n)} of ${shortId}`,
    call: { ...contractOf(product), functionName: "takeBackLoss", args: [] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money settle-loss` */
export async function settleLoss(shortId: string, options: Options, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  if (state.kind === "vault")
    throw new CommandError(`${shortId} is a demand deposit: its losses are final without being settled`);
  const review = lossUnderReview(state, time);
  const early =
    review === null
      ? "no loss is under review"
      : review.until > time
        ? `the loss may be taken back until ${moment(review.until)}, and is settled after it`
        : null;
  const act: Act = {
    ...{ name: "settle-loss", role: "keeper", keySetting: "KEEPER_PRIVATE_KEY", pays: 0n },
    ...{ refusal: early, bounds: reviewBounds(product, state, time) },
    what: `book the loss of ${amountText(product)(review?.amount ?? 0n)} of ${shortId}${effectOf(state)}`,
    call: { ...contractOf(product), functionName: "settleLoss", args: [] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money restore-loss` */
export async function restoreLoss(shortId: string, options: WithAmount, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  if (state.kind === "term")
    throw new CommandError(`${shortId} is a time deposit: a loss that was booked is not restored`);
  const { session, address, asset } = product;
  const amount = amountText(product);
  const assets = amountOf("amount", options.amount, asset.decimals);
  const standing = { address, abi: demandVaultAbi, functionName: "standingLoss" } as const;
  const most = await session.client.readContract(standing);
  const review = lossUnderReview(state, time);
  const waits =
    review && `a loss is under review until ${moment(review.until)}; \`aqua money take-back-loss\` undoes it`;
  const act: Act = {
    ...{ name: "restore-loss", ...confirmer },
    what: `restore ${amount(assets)} of the losses of ${shortId}`,
    bounds: [boundOf(product)("at_most", most, ", the final losses")],
    refusal: waits ?? over(assets, most, { amount, what: "the final losses" }),
    call: { ...contractOf(product), functionName: "restore", args: [assets] },
  };
  await carryOut({ ...desk, act, options });
}

function reviewBounds(product: MoneyProduct, state: State, time: bigint): Act["bounds"] {
  const review = lossUnderReview(state, time);
  if (review === null) return [];
  const until = moment(review.until);
  return [
    boundOf(product)("loss_under_review", review.amount, ""),
    { name: "taken_back_until", value: until, text: until },
  ];
}

/** What follows when the loss under review is booked now, in the words after its name. */
function effectOf(state: State): string {
  if (state.kind === "vault") return ": it is final";
  const { cash, deployed, liabilities, reviewed } = state;
  const lost = reviewed.amount < deployed ? reviewed.amount : deployed;
  return cash + deployed - lost < liabilities ? ": it winds the product down for good" : ": the product goes on";
}
