import { type ReactNode, type RefObject, useEffect } from "react";
import { Tabs } from "../../../ui/tabs.tsx";
import { fitPanel } from "./fit-panel.ts";

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

/** The frame around the actions of a product. */
export function PanelFrame<Tab extends string>({
  section,
  label,
  tab,
  onTab,
  tabs,
  above,
  below,
}: PanelFrameProps<Tab>) {
  useEffect(() => {
    const area = section.current?.parentElement;
    return area ? fitPanel(area) : undefined;
  }, [section]);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      // On a phone the sheet itself is the frame. Uses clip instead of hidden, since an element that scrolls by itself
      // would stop the sticky buttons.
      className="panel overflow-clip in-[[role=dialog]]:rounded-none in-[[role=dialog]]:border-0"
      data-testid="action-panel"
      data-panel
    >
      {above}
      <Tabs<Tab>
        look="box"
        label={label}
        value={tab}
        onChange={onTab}
        tabs={tabs.map(({ panel, ...rest }) => ({
          ...rest,
          panel: <div className="flex flex-col gap-3 px-5 pt-4 pb-3">{panel}</div>,
        }))}
      />
      {below}
    </section>
  );
}
