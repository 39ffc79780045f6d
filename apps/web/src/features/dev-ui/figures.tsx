import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { useState } from "react";
import { formatRate } from "../../i18n/format.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import { Details } from "../../ui/details.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { KeyLines } from "../../ui/key-lines.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Thread } from "../../ui/thread.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { WalletFace } from "../../ui/wallet-face.tsx";
import { Row, Sample } from "./sample.tsx";

const opened = Date.now();
const address = "0x7aF3b4f0a0B4b9C1c91D8b1F0E7E5D2c3A4991c0";
const levels = [
  { level: null, text: "unknown" },
  { level: 0, text: "0 %" },
  { level: 0.03, text: "3 %" },
  { level: 0.62, text: "62 %" },
  { level: 1, text: "100 %" },
];

/** Animates to each new value, unless motion is reduced. */
function LiveFigure() {
  const [value, setValue] = useState(1250);
  return (
    <Figure
      label="Live"
      note={
        <Button look="secondary" size="small" onClick={() => setValue((before) => before + 432)}>
          Earn
        </Button>
      }
    >
      <Amount value={String(value)} unit="tUSD" live />
    </Figure>
  );
}

const points = Array.from({ length: 60 }, (_, index) => ({
  time: Date.UTC(2026, 0, 1) + index * DAY_MS,
  value: (1 + index * 0.0008 + Math.sin(index / 7) * 0.002).toFixed(6),
}));
const series = [
  { name: "Share price", colour: 1 as const, area: true, points },
  {
    name: "Net of fees",
    colour: 2 as const,
    points: points.map(({ time, value }) => ({ time, value: (Number(value) - 0.004).toFixed(6) })),
  },
];
const fourDigits = (value: string) => Number(value).toFixed(4);

export function Figures() {
  return (
    <>
      <Sample title="Figures under their stamp">
        <div className="panel">
          <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 md:grid-cols-4">
            <Figure label="APY" note="30 days" size="large">
              {formatRate("0.0525")}
            </Figure>
            <Figure label="TVL" note="62 % of the cap" size="large">
              <Amount value="1240500.25" unit="tUSD" compact digits={1} />
            </Figure>
            <Figure label="Result" note="since 12 Jan" size="large">
              <Amount value="1204.56" unit="tUSD" tone="gain" />
            </Figure>
            <Figure label="Last quarter" note="loss reported" size="large">
              <Amount value="-310.2" unit="tUSD" tone="gain" />
            </Figure>
          </dl>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
            <Stamp block={1_204_551} time={opened - 8_000} from="Vault and report 18 of this product" />
          </div>
        </div>
        <Row>
          <Stamp align="start" block={1_204_551} time={opened - 42_000} />
          <Stamp align="start" block={1_204_207} time={opened - 1_500_000} />
          <Stamp align="start" block={1_198_004} time={opened - 26 * HOUR_MS} stale />
        </Row>
      </Sample>
      <Sample title="Key lines" note="What a decision rests on, above its button; the rest is under Details.">
        <div className="flex max-w-90 flex-col gap-3">
          <KeyLines
            label="What to expect"
            caption="Example: 1,000 tUSD"
            lines={[
              { label: "In a year, after fees", value: "about +84.22 tUSD" },
              { label: "Likely wait", value: "half by Mar 10, 90% by Apr 6", caution: "Long wait" },
              { label: "Rate", value: "—", note: "not measured yet" },
            ]}
            warning="The contracts have not been audited."
          />
          <Details label="Details">
            <p className="text-14 text-muted">Price and its time, limits, fees.</p>
          </Details>
        </div>
      </Sample>
      <Sample title="Values" note="0 is a value; unknown is a dash that tells why; a sign goes with every colour.">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 lg:grid-cols-4">
          <Figure label="Zero">
            <Amount value="0" unit="tUSD" />
          </Figure>
          <Figure label="Unknown">
            <Unknown reason="No report has come in for this product yet." />
          </Figure>
          <Figure label="Pending" note="confirmed in about 12 s">
            <span className="text-muted">
              <Amount value="250" unit="tUSD" />
            </span>
          </Figure>
          <LiveFigure />
          <Figure label="Dust">
            <Amount value="0.000001" unit="tUSD" digits={6} />
          </Figure>
          <Figure label="Negative">
            <Amount value="-1250.5" unit="tUSD" tone="gain" />
          </Figure>
          <Figure label="A change that rounds to zero">
            <Amount value="-0.000001" unit="tUSD" tone="gain" />
          </Figure>
          <Figure label="Rate">{formatRate("0.1234", { signed: true })}</Figure>
          <Figure label="Small" size="small">
            <Amount value="1000" unit="tUSD" mono />
          </Figure>
        </dl>
        <Row>
          <Address address={address} what="address" />
          <Address address={address} what="contract" explorer="https://explorer.example" full />
          <span className="inline-flex items-center gap-2 font-mono text-14">
            <WalletFace address={address} /> 0x7aF…91c0
          </span>
        </Row>
        <Row>
          <Badge>Demand</Badge>
          <Badge look="positive">Open</Badge>
          <Badge look="caution">Paused</Badge>
          <Badge look="negative">Closed</Badge>
          <Badge look="accent">New</Badge>
        </Row>
      </Sample>
      <Sample title="Gauge">
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-5">
          {levels.map(({ level, text }) => (
            <div key={text}>
              <p className="mb-1 text-12 text-muted">{text}</p>
              <Gauge label="Cap filled" level={level} text={text} />
              <Gauge label="Buffer" level={level} text={text} shape="vessel" className="mt-4" />
            </div>
          ))}
        </div>
      </Sample>
      <Sample title="Thread" note="Five knots from a reading to a payout.">
        <div className="panel p-5">
          <Thread
            label="From the reading to the payout"
            knots={[
              { key: "reading", label: "Reading", note: "4.2 kWh, signed 14:05" },
              { key: "anchor", label: "Anchor", note: "Block 1,204,551" },
              { key: "report", label: "Report", note: "No. 18, 1,204.56 tUSD" },
              { key: "price", label: "Share price", note: "1.0412 tUSD" },
              { key: "payout", label: "Payout", note: "When you withdraw", state: "open" },
            ]}
          />
        </div>
        <div className="panel p-5">
          <Thread
            label="Check of a reading that does not hold"
            knots={[
              { key: "reading", label: "Reading", note: "Signature holds" },
              { key: "anchor", label: "Anchor", note: "Does not hold: another root is on chain", state: "torn" },
              { key: "report", label: "Report", note: "Not checked", state: "open" },
              { key: "price", label: "Share price", note: "Not checked", state: "open" },
              { key: "payout", label: "Payout", note: "Not checked", state: "open" },
            ]}
          />
        </div>
      </Sample>
      <Sample title="Chart">
        <div className="panel pt-5">
          <Chart title="Share price" series={series} format={fourDigits} height={220} />
        </div>
      </Sample>
    </>
  );
}
