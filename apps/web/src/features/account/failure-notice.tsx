import { Notice } from "../../ui/notice.tsx";

/**
 * Shows the error of a form as a whole. The live region is mounted before its text, so that screen readers announce the
 * text.
 */
export function Failure({ text }: { text: string | null }) {
  return (
    // With `contents` the empty region adds no gap between the fields.
    <div role="alert" className="contents">
      {text && <Notice look="error">{text}</Notice>}
    </div>
  );
}
