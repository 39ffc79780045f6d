import { Overlay, type OverlayProps } from "./dialog.tsx";

/** A sheet that rises from the bottom of a phone's screen. `menu` keeps it to 60 % of the viewport. */
export function Sheet({ menu = false, ...props }: OverlayProps & { menu?: boolean }) {
  return <Overlay {...props} place={menu ? "menu" : "bottom"} />;
}
