import { act, render } from "@testing-library/react";
import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { SelectField } from "../../src/ui/select-field.tsx";
import { TextField } from "../../src/ui/text-field.tsx";

function Form() {
  const [text, setText] = useState("1");
  const [choice, setChoice] = useState("a");
  const options = ["a", "b"].map((value) => ({ value, label: value }));
  return (
    <>
      <TextField label="Text" value={text} onChange={(event) => setText(event.target.value)} />
      <SelectField label="Choice" value={choice} onChange={setChoice} options={options} />
      <output>{`${text} ${choice}`}</output>
    </>
  );
}

it("fields of a server-rendered page preserve and report input from before hydration", async () => {
  const root = document.body.appendChild(document.createElement("div"));
  root.innerHTML = renderToString(<Form />);
  for (const [selector, value] of [
    ["input", "12"],
    ["select", "b"],
  ] as const)
    (root.querySelector(selector) as HTMLInputElement).value = value;
  await act(async () => hydrateRoot(root, <Form />));
  expect(root.querySelector("output")?.textContent).toBe("12 b");
  expect(root.querySelector("input")?.value).toBe("12");
});

it("a select that is rendered in the browser preserves a value whose option arrives later", () => {
  const onChange = vi.fn();
  const { rerender } = render(<SelectField label="Country" value="SN" onChange={onChange} options={[]} />);
  rerender(
    <SelectField label="Country" value="SN" onChange={onChange} options={[{ value: "SN", label: "Senegal" }]} />,
  );
  expect(onChange).not.toHaveBeenCalled();
});
