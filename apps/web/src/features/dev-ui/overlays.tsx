import { Info } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog, Sheet } from "../../ui/dialog.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toast.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { Row, Sample } from "./sample.tsx";

type Overlay = "dialog" | "above" | "long" | "sheet" | "menu";

const tabs = [
  { value: "demand", label: "Demand", panel: <p className="py-4 text-14">Withdraw at any time.</p> },
  { value: "time", label: "Time", panel: <p className="py-4 text-14">Fixed rate until a day.</p> },
  { value: "requests", label: "Requests", panel: <p className="py-4 text-14">Places in the queue.</p> },
];

export function Overlays() {
  const [open, setOpen] = useState<Overlay[]>([]);
  const [tab, setTab] = useState("demand");
  const raise = (name: Overlay) => setOpen((names) => [...names, name]);
  const lower = () => setOpen((names) => names.slice(0, -1));
  return (
    <>
      <Sample title="Dialog, sheet, drawer" note="Escape, the cross and the backdrop close; focus returns.">
        <Row>
          <Button look="secondary" onClick={() => raise("dialog")}>
            Dialog
          </Button>
          <Button look="secondary" onClick={() => raise("long")}>
            Long dialog
          </Button>
          <Button look="secondary" onClick={() => raise("sheet")}>
            Sheet
          </Button>
          <Button look="secondary" onClick={() => raise("menu")}>
            Drawer
          </Button>
        </Row>
        <Dialog open={open.includes("dialog")} onClose={lower} title="Withdraw 250 tUSD">
          <div className="flex flex-col gap-4 p-5">
            <p className="text-14 text-muted">You receive at least 249.87 tUSD, in the next block.</p>
            <TextField label="Note" data-autofocus />
            <Row>
              <Button onClick={lower}>Withdraw</Button>
              <Button look="secondary" onClick={() => raise("above")}>
                One above
              </Button>
            </Row>
          </div>
        </Dialog>
        <Dialog open={open.includes("above")} onClose={lower} title="Above the first">
          <div className="p-5">
            <Button onClick={lower}>Back</Button>
          </div>
        </Dialog>
        <Dialog open={open.includes("long")} onClose={lower} title="A title far too long for one line of a dialog">
          <div className="flex flex-col gap-4 p-5 text-14">
            {Array.from({ length: 30 }, (_, line) => `Line ${line + 1}: what is said here scrolls under the head.`).map(
              (line) => (
                <p key={line}>{line}</p>
              ),
            )}
          </div>
        </Dialog>
        <Sheet open={open.includes("sheet")} onClose={lower} title="Deposit">
          <div className="p-5">
            <Button wide onClick={lower}>
              Deposit 1,000 tUSD
            </Button>
          </div>
        </Sheet>
        <Sheet menu open={open.includes("menu")} onClose={lower} title="Menu">
          <ul className="p-2">
            {["Home", "Products", "Portfolios", "About"].map((name) => (
              <li key={name}>
                <button type="button" className="w-full rounded-6 px-3 py-3 text-left hover:bg-ground" onClick={lower}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </Sheet>
      </Sample>
      <Sample title="Tabs">
        <Tabs label="Deposits" value={tab} onChange={setTab} tabs={tabs} />
        <div className="panel px-5">
          <Tabs label="Deposits in a panel" look="box" value={tab} onChange={setTab} tabs={tabs} />
        </div>
      </Sample>
      <Sample title="Tooltip and disclosure">
        <Row>
          <Tooltip text="The share price of this block times your shares.">
            <Button look="secondary">How is this computed</Button>
          </Tooltip>
          <Tooltip as="name" text="What the early exit costs">
            <Button look="quiet" size="small">
              <Info aria-hidden="true" className="size-4" />
            </Button>
          </Tooltip>
          <Disclosure
            button="Filters"
            buttonClassName="h-9 rounded-6 border border-line-strong/60 px-3 text-14"
            panelClassName="w-72 p-4"
          >
            {(close) => (
              <div className="flex flex-col gap-3">
                <TextField label="I can exit at least" inputMode="decimal" />
                <Button size="small" onClick={close}>
                  Apply
                </Button>
              </div>
            )}
          </Disclosure>
        </Row>
      </Sample>
      <Sample title="Toast" note="One at a time, 5 s, paused under pointer or focus; F8 moves to it; swipe right.">
        <Row>
          <Button look="secondary" onClick={() => toast({ title: "Copy Success", look: "success" })}>
            Success
          </Button>
          <Button
            look="secondary"
            onClick={() =>
              toast({ title: "Deposit sent", description: "1,000 tUSD, confirmed in about 12 s.", look: "info" })
            }
          >
            Information
          </Button>
          <Button
            look="secondary"
            onClick={() => toast({ title: "Copying was refused by the browser", look: "error" })}
          >
            Error
          </Button>
        </Row>
      </Sample>
    </>
  );
}
