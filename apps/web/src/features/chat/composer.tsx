import { type KeyboardEvent, useId, useRef, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { QuickPrompt } from "./answers.ts";

interface ComposerProps {
  prompts: QuickPrompt[];
  answering: boolean;
  onSend: (text: string) => void;
}

/** Quick prompts, the text field and the send button. */
export function Composer({ prompts, answering, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  const input = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  // On a phone, focus in the text field opens the keyboard, which covers half of the panel before the visitor has read
  // anything.
  const hasKeyboard = useMedia("(hover: hover) and (pointer: fine)");
  const blank = text.trim() === "";

  function send() {
    if (blank) return;
    onSend(text);
    setText("");
    // The button becomes disabled and would lose the focus.
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey) return;
    // This Enter accepts an input method's suggestion. Safari signals it only by the key code.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="shrink-0 border-t border-line px-5 pt-4 pb-[calc(16px+env(safe-area-inset-bottom))]"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of the form */}
      <div role="group" aria-label={t("chat.prompts")} className="mb-4 flex flex-wrap gap-2">
        {prompts.map((prompt) => (
          <button
            key={prompt.text}
            type="button"
            // The button stays focusable. A second press while an answer is pending is ignored.
            aria-disabled={answering || undefined}
            onClick={() => !answering && onSend(prompt.text)}
            className="min-h-9 rounded-full border border-line-strong/60 px-3 py-1.5 text-left text-14 text-accent transition-colors hover:border-accent hover:bg-accent/10 aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
          >
            {prompt.text}
          </button>
        ))}
      </div>
      <div className="flex items-end gap-2">
        <label htmlFor={id} className="sr-only">
          {t("chat.input")}
        </label>
        <textarea
          ref={input}
          id={id}
          rows={1}
          value={text}
          placeholder={t("chat.placeholder")}
          data-autofocus={hasKeyboard || undefined}
          enterKeyHint="send"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-32 min-h-11 min-w-0 flex-1 resize-none rounded-6 border border-line-strong/70 bg-surface px-3 py-2.5 text-16 placeholder:text-muted"
        />
        <Button type="submit" disabled={blank}>
          {t("chat.send")}
        </Button>
      </div>
    </form>
  );
}
