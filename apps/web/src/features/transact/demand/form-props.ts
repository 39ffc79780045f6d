import type { DemandDetail } from "@aqua/sdk/api/product";
import type { ProductTerms } from "@aqua/sdk/chain/product-terms";
import type { Position } from "@aqua/sdk/chain/vault-position";
import type { ReactNode } from "react";
import type { Drafts } from "../form/use-draft.ts";
import type { ActionState } from "../progress/use-action.ts";
import type { PoolAt } from "./preview.ts";

export interface FormProps {
  product: DemandDetail;
  terms: ProductTerms | null;
  owner: `0x${string}` | null;
  /** Null without a wallet, while loading, and when the chain does not respond. */
  position: Position | null;
  /** The pool the preview is computed with. */
  pool: PoolAt;
  /** Replaces the button; null when there is no obstacle. */
  obstacle: ReactNode | null;
  action: ActionState;
  drafts: Drafts;
}
