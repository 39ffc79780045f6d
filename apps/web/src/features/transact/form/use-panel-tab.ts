import { type RefObject, useEffect, useState } from "react";
import { createStore, useStore } from "../../../create-store.ts";

/** The purpose for which a button on the page, or the address, opens a product's panel. */
export type PanelPurpose = "deposit" | "withdraw";
interface PanelRequest {
  purpose: PanelPurpose;
}

const request = createStore<PanelRequest | null>(null);

/** Opens the panel for `purpose`; on a phone as a sheet. A panel that is still loading opens with that purpose too. */
export function requestPanel(purpose: PanelPurpose): void {
  request.set({ purpose });
}

/** Called when a product's page closes, so that the request does not open the next product's panel. */
export function forgetPanelRequest(): void {
  request.set(null);
}

export function usePanelRequest(): PanelRequest | null {
  return useStore(request);
}

/** The selected tab of a panel: the visitor's choice, or the requested one. */
export function usePanelTab<Tab extends string>(tabs: Record<PanelPurpose, Tab>): [Tab, (tab: Tab) => void] {
  const panelRequest = usePanelRequest();
  const [tab, setTab] = useState(tabs[panelRequest?.purpose ?? "deposit"]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request counts, also a second one for the same tab
  useEffect(() => {
    if (panelRequest) setTab(tabs[panelRequest.purpose]);
  }, [panelRequest]);
  return [tab, setTab];
}

/** Moves the focus to the requested tab. */
export function useRequestedTabFocus(section: RefObject<HTMLElement | null>): void {
  const panelRequest = usePanelRequest();
  useEffect(() => {
    if (!panelRequest) return;
    const tabs = section.current?.querySelectorAll<HTMLElement>("[role=tab]");
    tabs?.item(panelRequest.purpose === "deposit" ? 0 : 1)?.focus();
  }, [panelRequest, section]);
}
