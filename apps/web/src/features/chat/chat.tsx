import { answerTo, quickPrompts } from "./answers.ts";
import { Composer } from "./composer.tsx";
import { useConversation } from "./conversation.ts";
import { MessageList } from "./message-list.tsx";
import { ChatPanel } from "./panel.tsx";
import { useProductName } from "./product-name.ts";

export interface ChatProps {
  open: boolean;
  onClose: () => void;
}

/** The conversation, shown in a panel while `open`. It stays mounted once loaded, so that messages survive closing. */
export function Chat({ open, onClose }: ChatProps) {
  const { messages, answering, send } = useConversation();
  const prompts = quickPrompts(useProductName());
  if (!open) return null;
  return (
    <ChatPanel onClose={onClose}>
      <MessageList messages={messages} answering={answering} />
      <Composer prompts={prompts} answering={answering} onSend={(text) => send(text, answerTo(text, prompts))} />
    </ChatPanel>
  );
}
