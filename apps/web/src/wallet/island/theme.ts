import type { Theme } from "@rainbow-me/rainbowkit";

/**
 * The kit's theme from our tokens. The values are custom properties, so light and dark follow the page without a second
 * theme. Every text has the measured contrast of the tokens, while the kit's own greys fail WCAG AA.
 */
export const kitTheme: Theme = {
  // Not "blur(0px)", because with any filter, even one without effect, the browser redraws the background every frame.
  blurs: { modalOverlay: "none" },
  fonts: { body: "var(--font-sans)" },
  radii: { actionButton: "6px", connectButton: "6px", menuButton: "6px", modal: "12px", modalMobile: "12px" },
  colors: {
    accentColor: "var(--accent)",
    accentColorForeground: "var(--on-accent)",
    actionButtonBorder: "var(--line)",
    actionButtonBorderMobile: "var(--line)",
    actionButtonSecondaryBackground: "var(--ground)",
    closeButton: "var(--muted)",
    closeButtonBackground: "var(--ground)",
    connectButtonBackground: "var(--surface)",
    connectButtonBackgroundError: "var(--negative)",
    connectButtonInnerBackground: "var(--ground)",
    connectButtonText: "var(--ink)",
    connectButtonTextError: "var(--surface)",
    connectionIndicator: "var(--positive)",
    downloadBottomCardBackground: "var(--ground)",
    downloadTopCardBackground: "var(--ground)",
    error: "var(--negative)",
    generalBorder: "var(--line)",
    generalBorderDim: "var(--line)",
    menuItemBackground: "var(--ground)",
    modalBackdrop: "var(--scrim)",
    modalBackground: "var(--surface)",
    modalBorder: "var(--line)",
    modalText: "var(--ink)",
    modalTextDim: "var(--muted)",
    modalTextSecondary: "var(--muted)",
    profileAction: "var(--ground)",
    profileActionHover: "var(--line)",
    profileForeground: "var(--surface)",
    selectedOptionBorder: "var(--accent)",
    standby: "var(--caution)",
  },
  shadows: {
    connectButton: "none",
    dialog: "var(--shadow-float)",
    profileDetailsAction: "none",
    selectedOption: "none",
    selectedWallet: "none",
    walletLogo: "none",
  },
};
