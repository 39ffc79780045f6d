import { useState } from "react";
import { CodeField } from "../../ui/code-field.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Steps } from "../../ui/steps.tsx";
import { Sample } from "./sample.tsx";

const picture = new File([], "passport with a name that is rather longer than the frame it stands in.jpg");
const countries = [
  { value: "", label: "Choose a country" },
  { value: "CH", label: "Switzerland" },
  { value: "SN", label: "Senegal" },
];

export function Forms() {
  const [code, setCode] = useState("");
  const [country, setCountry] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const files = { accept: "image/*", hint: "JPEG, PNG or PDF, at most 8 MB", size: "1.2 MB" };
  return (
    <>
      <Sample title="Steps">
        <Steps label="First of three" steps={["E-mail", "Code", "Password"]} current={0} />
        <Steps label="Second of three" steps={["E-mail", "Code", "Password"]} current={1} />
        <Steps label="All done" steps={["E-mail", "Code", "Password"]} current={3} />
      </Sample>
      <Sample title="Fields of accounts" note="Type or paste a code, also with a space in it; drop a file.">
        <form className="grid gap-5 md:grid-cols-2" noValidate onSubmit={(event) => event.preventDefault()}>
          <PasswordField label="Password" autoComplete="off" hint="At least 8 characters." />
          <PasswordField label="Wrong password" autoComplete="off" defaultValue="aqua" error="Too short." />
          <CodeField label="Code" length={6} value={code} onCode={setCode} hint="Sent to name@example.com." />
          <CodeField label="Wrong code" length={6} value="123456" onCode={() => {}} error="This code is not right." />
          <SelectField large label="Country" value={country} onChange={setCountry} options={countries} hint="A hint." />
          <SelectField large label="No country" value="" onChange={() => {}} options={countries} error="Choose one." />
          <FileField label="Document" {...files} file={file} onFile={setFile} />
          <FileField label="Chosen document" {...files} file={picture} onFile={() => {}} />
          <FileField label="Wrong document" {...files} file={null} error="This file is too large." onFile={() => {}} />
          <FileField label="Document on its way" {...files} file={picture} progress={0.4} onFile={() => {}} />
        </form>
      </Sample>
    </>
  );
}
