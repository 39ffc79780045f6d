import { t } from "../../i18n/i18n.ts";
import { DepthLines } from "../../ui/depth-lines.tsx";

const knots = [
  { x: 52, y: 306, label: "home.thread.asset" },
  { x: 150, y: 268, label: "home.thread.income" },
  { x: 246, y: 214, label: "home.thread.report" },
  { x: 336, y: 146, label: "home.thread.price" },
  { x: 436, y: 92, label: "home.thread.payout" },
] as const;

/**
 * An illustration: a line runs from the asset through income, report and share price to the payout and rises to the
 * level in the vessel.
 */
export function HomePicture() {
  return (
    <div className="panel relative overflow-hidden">
      <DepthLines seed="aqua" className="absolute inset-0 h-full w-full" />
      <svg viewBox="0 0 560 360" role="img" aria-label={t("home.picture")} className="relative w-full">
        <title>{t("home.picture")}</title>
        <path
          d="M52 306C96 300 118 286 150 268S214 238 246 214s58-46 90-68 62-48 100-54h46"
          className="fill-none stroke-accent"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
        <path
          d="M52 306C96 300 118 286 150 268S214 238 246 214s58-46 90-68 62-48 100-54h46V330H52Z"
          className="fill-accent/8"
        />
        <rect x="482" y="40" width="40" height="292" rx="14" className="fill-surface stroke-line-strong/60" />
        <rect x="486" y="92" width="32" height="236" rx="11" className="fill-accent/25" />
        <path d="M488 93q7-4 14 0t14 0" className="fill-none stroke-accent" strokeWidth="2" />
        {[60, 124, 188, 252, 316].map((y, index) => (
          <line key={y} x1="528" x2={index % 2 === 0 ? 544 : 537} y1={y} y2={y} className="stroke-line-strong" />
        ))}
        {knots.map((knot, index) => (
          <g key={knot.label}>
            <circle cx={knot.x} cy={knot.y} r="6" className="fill-surface stroke-accent" strokeWidth="2.5" />
            <text
              x={index === 0 ? knot.x - 8 : knot.x - 12}
              y={knot.y + (index === 0 ? 32 : -12)}
              textAnchor={index === 0 ? "start" : "end"}
              className="fill-ink text-[24px] sm:text-14"
            >
              {t(knot.label)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
