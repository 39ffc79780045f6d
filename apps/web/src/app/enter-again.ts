import { isTakenOver } from "./taken-over.ts";

type Field = HTMLInputElement | HTMLSelectElement;

/**
 * Enters again what fields hold. React takes a field over with whatever is in it and takes note of changes alone: what
 * was entered before stays on the screen, and nothing follows from it. Resolves when that is done.
 */
export async function enterAgain(fields: Iterable<Field>): Promise<void> {
  const missing = () => [...fields].some((field) => field.isConnected && !isTakenOver(field));
  while (missing()) await new Promise(requestAnimationFrame);
  // All are read first: what follows from one renders the others as they were served.
  const entered = [...fields].filter((field) => field.isConnected).map(again);
  for (const enter of entered) enter();
}

/** Answers what enters the present value of a field again. */
function again(field: Field): () => void {
  const { value } = field;
  if (field instanceof HTMLSelectElement)
    return () => {
      field.value = value;
      send(field, "change");
    };
  const { checked, selectionStart, selectionEnd } = field;
  if (field.type === "checkbox") return () => check([field], field, checked);
  // Of radio buttons the one that is chosen now; each press undid the one before.
  if (field.type === "radio") return () => checked && check(document.getElementsByName(field.name), field, true);
  return () => {
    field.value = field.defaultValue;
    // React's own setter on the field would take the change for one of its own.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
    if (field === document.activeElement) field.setSelectionRange(selectionStart, selectionEnd);
    send(field, "input");
  };
}

function send(field: Field, type: "input" | "change") {
  field.dispatchEvent(new Event(type, { bubbles: true }));
}

function check(group: Iterable<Element>, field: HTMLInputElement, wanted: boolean) {
  for (const one of group) if (one instanceof HTMLInputElement) one.checked = one.defaultChecked;
  if (field.checked !== wanted) field.click();
}
