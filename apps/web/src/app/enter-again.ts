/**
 * Enters again what was entered before fields could answer. React takes a field over with whatever it holds and takes note
 * of changes alone: what was entered before stays on the screen, and nothing follows from it.
 */
export function enterAgain(entered: EarlyInput["entered"]): void {
  for (const [field, { value, checked = false }] of entered) {
    if (!field.isConnected) continue;
    if (field instanceof HTMLSelectElement) choose(field, value);
    else if (field.type === "checkbox") check([field], field, checked);
    else if (field.type === "radio") check(document.getElementsByName(field.name), field, checked);
    else type(field, value);
  }
}

function choose(field: HTMLSelectElement, value: string) {
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function check(group: Iterable<Element>, field: HTMLInputElement, wanted: boolean) {
  for (const one of group) if (one instanceof HTMLInputElement) one.checked = one.defaultChecked;
  if (field.checked !== wanted) field.click();
}

function type(field: HTMLInputElement, value: string) {
  const { selectionStart, selectionEnd } = field;
  field.value = field.defaultValue;
  // React's own setter on the field would take the change for one of its own.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
  if (field === document.activeElement) field.setSelectionRange(selectionStart, selectionEnd);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
