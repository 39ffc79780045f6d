import { Notice } from "../../ui/notice.tsx";

/** The error of a form as a whole. The live region is mounted before its text, so that screen readers announce it. */
export function Failure({ text }: { text: string | null }) {
  return (
    // `contents`: while empty it must not add a gap between the fields.
    <div role="alert" className="contents">
      {text && <Notice look="error">{text}</Notice>}
    </div>
  );
}
