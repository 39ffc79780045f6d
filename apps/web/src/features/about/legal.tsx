import { type LegalName, legalNames } from "@aqua/sdk/api/rules";
import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

const LegalText = lazy(() => import("./legal-text.tsx"));

/** The operator's terms, privacy text, imprint and contact. Each text loads when it is opened or linked to. */
export default function Legal() {
  return (
    <div className="panel divide-y divide-line">
      {legalNames.map((name) => (
        <LegalPart key={name} name={name} />
      ))}
    </div>
  );
}

function LegalPart({ name }: { name: LegalName }) {
  const { hash, key } = useLocation();
  const linked = hash === `#${name}`;
  const [open, setOpen] = useState(linked);
  const part = useRef<HTMLElement>(null);
  const id = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with every navigation
  useEffect(() => {
    if (!linked) return;
    setOpen(true);
    // Runs after the layout has scrolled to the top.
    const timer = setTimeout(() => part.current?.scrollIntoView());
    return () => clearTimeout(timer);
  }, [linked, key]);

  return (
    <section ref={part} id={name} aria-labelledby={id} className="min-w-0 scroll-mt-20">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group/legal">
        <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 px-5 py-3 [&::-webkit-details-marker]:hidden">
          <h2 id={id} className="text-20">
            {t(`about.${name}`)}
          </h2>
          <ChevronDown
            aria-hidden="true"
            className="size-5 shrink-0 text-muted transition-transform group-open/legal:rotate-180"
            strokeWidth={1.75}
          />
        </summary>
        {open && (
          <div className="flex flex-col gap-3 px-5 pt-1 pb-6">
            <Suspense fallback={<Skeleton className="h-40" />}>
              <LegalText name={name} />
            </Suspense>
          </div>
        )}
      </details>
    </section>
  );
}
