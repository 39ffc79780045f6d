import type { ReactNode, RefObject } from "react";
import { Tabs } from "../../../ui/tabs.tsx";

interface PanelFrameProps<Tab extends string> {
  /** Receives the focus when the focused element disappears. */
  section: RefObject<HTMLElement | null>;
  label: string;
  tab: Tab;
  onTab: (tab: Tab) => void;
  tabs: { value: Tab; label: string; panel: ReactNode }[];
  above?: ReactNode;
  below?: ReactNode;
}

/** The frame of a product's actions. */
export function PanelFrame<Tab extends string>({
  section,
  label,
  tab,
  onTab,
  tabs,
  above,
  below,
}: PanelFrameProps<Tab>) {
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      // In the phone's sheet the sheet itself is the frame.
      className="panel overflow-hidden in-[[role=dialog]]:rounded-none in-[[role=dialog]]:border-0"
      data-testid="action-panel"
    >
      {above}
      <Tabs<Tab>
        look="box"
        label={label}
        value={tab}
        onChange={onTab}
        tabs={tabs.map(({ panel, ...one }) => ({
          ...one,
          panel: <div className="flex flex-col gap-4 p-5">{panel}</div>,
        }))}
      />
      {below}
    </section>
  );
}
