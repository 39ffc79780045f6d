import { useState } from "react";
import { cx } from "../../ui/class-names.ts";
import { DepthLines } from "../../ui/depth-lines.tsx";

interface PictureProps {
  shortId: string;
  /** File name of the operator's drawing, resolved by the server; null when there is none. */
  image: string | null;
  className?: string;
  /**
   * True when the picture is in view as the page opens. It may then be the largest element, so it loads ahead of
   * scripts.
   */
  eager?: boolean;
}

/**
 * A product's drawing on the product's own depth lines; only the lines when there is no drawing. Decorative, since the
 * product's name is beside it.
 */
export function ProductPicture({ shortId, image, className, eager = false }: PictureProps) {
  const [broken, setBroken] = useState(false);
  return (
    <div className={cx("relative overflow-hidden bg-accent/8", className)}>
      <DepthLines seed={shortId} className="absolute inset-0 h-full w-full" />
      {image && !broken && (
        <img
          src={`/api/v2/product/${encodeURIComponent(shortId)}/image`}
          alt=""
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : "auto"}
          decoding="async"
          onError={() => setBroken(true)}
          className="absolute inset-0 h-full w-full object-cover"
        />
      )}
    </div>
  );
}
