import { type ComponentType, lazy } from "react";

/** A lazy part without which a page still stands: when its code cannot be fetched, nothing is shown in its place. */
export function optional<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => ({ default: (() => null) as ComponentType<Props> })));
}
