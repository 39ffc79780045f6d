import { Overlay, type OverlayProps } from "./dialog.tsx";

/** A sheet that slides up from the bottom of a phone's screen. `menu` limits it to 60 % of the viewport. */
export function Sheet({ menu = false, ...props }: OverlayProps & { menu?: boolean }) {
  return <Overlay {...props} place={menu ? "menu" : "bottom"} />;
}
