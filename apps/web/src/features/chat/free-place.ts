interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Pixels kept free around the button. */
const margin = 4;

/**
 * Finds the lowest place at or above `base` where a box of the same size covers none of `obstacles`. Returns the pixels
 * to move up, or null if there is no such place below `ceiling`.
 */
export function liftOf({
  base,
  obstacles,
  ceiling,
}: {
  base: Box;
  obstacles: readonly Box[];
  ceiling: number;
}): number | null {
  const height = base.bottom - base.top;
  const beside = obstacles.filter(({ left, right }) => left < base.right + margin && right > base.left - margin);
  let top = base.top;
  for (;;) {
    const covered = beside.find((obstacle) => obstacle.top < top + height + margin && obstacle.bottom > top - margin);
    if (covered === undefined) return base.top - top;
    top = covered.top - height - margin;
    if (top < ceiling) return null;
  }
}

/** The elements that the button must not cover. Controls count with their box, figures with their text. */
const controls = ":is(main, footer) :is(button, a[href], input, select, textarea, summary, [role=tab])";
const figures = ":is(main, footer) :is(dd, td, th, time, svg text)";

/** The boxes of all figures and controls that are in the window. */
export function obstacleBoxes(): Box[] {
  const inWindow = ({ top, bottom }: Box) => bottom > 0 && top < window.innerHeight;
  const boxes = [...document.querySelectorAll(controls)].flatMap((element) => [...element.getClientRects()]);
  const range = document.createRange();
  for (const element of document.querySelectorAll(figures)) {
    if (!inWindow(element.getBoundingClientRect())) continue;
    range.selectNodeContents(element);
    boxes.push(...range.getClientRects());
  }
  return boxes.filter(inWindow);
}
