import { Notice } from "../../ui/notice.tsx";

/** What went wrong with a form as a whole. The region is there before its text, so that the text is read out. */
export function Failure({ text }: { text: string | null }) {
  return (
    // Without a box of its own: empty it must take no room between the fields.
    <div role="alert" className="contents">
      {text && <Notice look="error">{text}</Notice>}
    </div>
  );
}
