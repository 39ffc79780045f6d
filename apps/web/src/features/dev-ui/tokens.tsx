import { DepthLines } from "../../ui/depth-lines.tsx";
import { Sample } from "./sample.tsx";

const colours = [
  "ground",
  "surface",
  "line",
  "line-strong",
  "ink",
  "muted",
  "accent",
  "accent-hover",
  "on-accent",
  "positive",
  "negative",
  "caution",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
];
const sizes = [
  { name: "44", look: "text-44 font-strong tracking-tight" },
  { name: "28", look: "text-28 font-strong tracking-tight" },
  { name: "20", look: "text-20 font-strong" },
  { name: "16", look: "text-16" },
  { name: "14", look: "text-14" },
  { name: "12", look: "text-12" },
];
const spaces = [4, 8, 12, 16, 20, 24, 32, 48, 64];

export function Tokens() {
  return (
    <>
      <Sample title="Colour" note="Text pairs are measured in test/ui/tokens.test.ts.">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-3">
          {colours.map((name) => (
            <li key={name} className="panel overflow-hidden">
              <div
                className="h-12 border-b border-line forced-color-adjust-none"
                style={{ background: `var(--${name})` }}
              />
              <p className="px-3 py-2 font-mono text-12">{name}</p>
            </li>
          ))}
        </ul>
      </Sample>
      <Sample title="Type" note="Six sizes, two weights, one text face and one for figures.">
        <ul className="flex flex-col gap-3">
          {sizes.map(({ name, look }) => (
            <li key={name} className="flex flex-wrap items-baseline gap-x-5">
              <span className="w-8 font-mono text-12 text-muted">{name}</span>
              <span className={look}>Income from water 1,204.56</span>
            </li>
          ))}
          <li className="flex flex-wrap items-baseline gap-x-5">
            <span className="w-8 font-mono text-12 text-muted">mono</span>
            <span className="font-mono text-14">0123456789 0x7aF3…91c0 1,204.560000</span>
          </li>
        </ul>
      </Sample>
      <Sample title="Space, corners, shadow, motion">
        <div className="flex flex-wrap items-end gap-3">
          {spaces.map((size) => (
            <div key={size} className="text-center">
              <div className="bg-accent/25" style={{ width: size, height: size }} />
              <span className="font-mono text-12 text-muted">{size}</span>
            </div>
          ))}
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <div className="rounded-6 border border-line bg-surface p-4 text-14">Corner 6: controls</div>
          <div className="panel p-4 text-14">Corner 12: panels</div>
          <div className="panel p-4 text-14 shadow-float">Shadow: only what floats</div>
        </div>
        <button
          type="button"
          className="w-fit rounded-6 border border-line px-4 py-3 text-14 transition-[translate,border-color] duration-240 hover:translate-x-2 hover:border-accent"
        >
          240 ms, ease-out; at rest under reduced motion
        </button>
      </Sample>
      <Sample title="Depth lines" note="Grown from a name: the same product always has the same face.">
        <div className="grid gap-4 sm:grid-cols-3">
          {["solar-valencia", "river-hydro-tyrol", "aqua"].map((seed) => (
            <figure key={seed} className="panel overflow-hidden">
              <DepthLines seed={seed} className="h-28 w-full" />
              <figcaption className="border-t border-line px-3 py-2 font-mono text-12">{seed}</figcaption>
            </figure>
          ))}
        </div>
      </Sample>
    </>
  );
}
