import { type Column, foot, type Plot } from "./plot.ts";
import type { TexturedSeries } from "./texture.ts";
import type { ChartMarker } from "./types.ts";

const tone = (colour: number) => `var(--series-${colour})`;
/** The fill opacity of hollow bars. The background is visible through them. */
const hollow = 0.12;
const flagTones = { gain: "var(--positive)", loss: "var(--negative)", flaw: "var(--caution)" } as const;

/** A flag that points up for a gain and hangs for a loss. The shape has the same meaning as the colour. */
function Flag({ x, y, small, look }: { x: number; y: number; small: boolean; look: ChartMarker["tone"] }) {
  const colour = look ? flagTones[look] : "var(--muted)";
  const pennant = look === "loss" ? `M${x} ${y - 8}l7 4l-7 4z` : `M${x} ${y - 13}l7 3.5l-7 3.5z`;
  return (
    <g style={{ stroke: colour }}>
      <line x1={x} x2={x} y1={y} y2={y - (small ? 6 : 13)} />
      {!small && <path d={pennant} style={{ fill: look === "loss" ? "var(--surface)" : colour }} />}
    </g>
  );
}

/** The drawing: hairlines at the ticks, the last value at the end of each line, and the cursor. */
export function Drawing({ plot, cursor, colours }: { plot: Plot; cursor: Column | undefined; colours: number[] }) {
  const { width, height, right, bottom } = plot;
  const crowded = (y: number) => plot.ends.some((end) => Math.abs(end.textY - y) < 13);
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className="block font-mono text-[11px] forced-color-adjust-none"
    >
      {plot.up.map(({ at, text }) => (
        <g key={at}>
          <line
            x1="20"
            x2={right}
            y1={at}
            y2={at}
            className="stroke-line forced-colors:opacity-40"
            shapeRendering="crispEdges"
          />
          {!crowded(at) && (
            <text x={right + 8} y={at} dominantBaseline="middle" className="fill-muted">
              {text}
            </text>
          )}
        </g>
      ))}
      <line x1="20" x2={right} y1={bottom} y2={bottom} className="stroke-line-strong/50" shapeRendering="crispEdges" />
      {plot.across.map(({ at, text, anchor }) => (
        <g key={at}>
          <line
            x1={at}
            x2={at}
            y1={bottom}
            y2={bottom + 4}
            className="stroke-line-strong/50"
            shapeRendering="crispEdges"
          />
          <text x={at} y={bottom + foot - 8} textAnchor={anchor} className="fill-muted">
            {text}
          </text>
        </g>
      ))}
      {plot.bars.map((bar) => (
        <rect
          key={`${bar.colour}-${bar.x}`}
          x={bar.x}
          y={bar.y}
          width={bar.width}
          height={bar.height}
          rx={Math.min(2, bar.height / 2)}
          style={{ fill: tone(bar.colour), stroke: tone(bar.colour) }}
          fillOpacity={bar.hollow ? hollow : 1}
          strokeWidth={bar.hollow ? 1.25 : 0}
        />
      ))}
      {plot.lines.map((line) => (
        <g key={line.colour}>
          {line.band && <path d={line.band} style={{ fill: tone(line.colour) }} fillOpacity="0.2" />}
          {line.area && <path d={line.area} style={{ fill: tone(line.colour) }} fillOpacity="0.08" />}
          <path
            d={line.path}
            fill="none"
            style={{ stroke: tone(line.colour) }}
            strokeWidth="1.75"
            strokeDasharray={line.dash}
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {line.dots.map((dot) => (
            <circle key={dot.x} cx={dot.x} cy={dot.y} r="2" style={{ fill: tone(line.colour) }} />
          ))}
        </g>
      ))}
      {plot.flags.map((flag) => (
        <Flag key={`${flag.x}-${flag.tone}`} x={flag.x} y={bottom} small={flag.small} look={flag.tone} />
      ))}
      {plot.ends.map((end) => (
        <g key={end.colour} style={{ fill: tone(end.colour) }}>
          <circle cx={end.x} cy={end.y} r="3" />
          <text x={right + 8} y={end.textY} dominantBaseline="middle" className="font-strong">
            {end.text}
          </text>
        </g>
      ))}
      {cursor && (
        <g>
          <line
            x1={plot.toX(cursor.x)}
            x2={plot.toX(cursor.x)}
            y1="6"
            y2={bottom}
            className="stroke-line-strong"
            strokeDasharray="3 3"
          />
          {cursor.values.map((value, index) =>
            value === null || value === undefined ? null : (
              <circle
                // biome-ignore lint/suspicious/noArrayIndexKey: the order of the series is their identity
                key={index}
                cx={plot.toX(cursor.x)}
                cy={plot.toY(Number(value))}
                r="4"
                className="stroke-surface"
                strokeWidth="1.5"
                style={{ fill: tone(colours[index] ?? 1) }}
              />
            ),
          )}
        </g>
      )}
    </svg>
  );
}

/** A short sample of a line or bar as drawn in the chart, for the legend. */
export function Swatch({ line }: { line: Pick<TexturedSeries, "colour" | "bars" | "dash" | "hollow"> }) {
  const colour = tone(line.colour);
  return (
    <svg width="28" height="8" aria-hidden="true" className="shrink-0 self-center forced-color-adjust-none">
      {line.bars ? (
        <rect
          x="9"
          y="1"
          width="10"
          height="6"
          rx="1.5"
          style={{ fill: colour, stroke: colour }}
          fillOpacity={line.hollow ? hollow : 1}
          strokeWidth="1.25"
        />
      ) : (
        <line
          x1="1"
          x2="27"
          y1="4"
          y2="4"
          style={{ stroke: colour }}
          strokeWidth="1.75"
          strokeDasharray={line.dash}
          strokeLinecap="round"
        />
      )}
    </svg>
  );
}
