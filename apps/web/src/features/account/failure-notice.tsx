import { Notice } from "../../ui/notice.tsx";

/** What went wrong with a form as a whole. The region is there before its text, so that the text is read out. */
export function Failure({ text }: { text: string | null }) {
  return <div role="alert">{text && <Notice look="error">{text}</Notice>}</div>;
}
