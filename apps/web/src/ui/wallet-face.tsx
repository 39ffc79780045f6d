import { seededRandom } from "./seed.ts";

/** A small picture derived from an address. It helps a reader to notice a wrong address. */
export function WalletFace({ address }: { address: string }) {
  const random = seededRandom(address.toLowerCase());
  const tone = `var(--series-${1 + Math.floor(random() * 6)})`;
  const waves = [5, 9, 13].map((y) => {
    const rise = 1 + random() * 3;
    return `M0 ${y + random() * 3}q4.5 ${-rise} 9 0t9 0`;
  });
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className="size-4.5 rounded-full">
      <rect width="18" height="18" fill={tone} fillOpacity=".2" />
      <path d={waves.join("")} fill="none" stroke={tone} strokeWidth="1.6" />
    </svg>
  );
}
