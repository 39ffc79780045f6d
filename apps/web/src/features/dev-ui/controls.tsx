import { ArrowRight, RefreshCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Row, Sample } from "./sample.tsx";

const looks = ["primary", "secondary", "quiet", "danger"] as const;
const ranges = ["7D", "30D", "90D", "1Y", "ALL"].map((value) => ({ value, label: value }));

export function Controls() {
  const [range, setRange] = useState("30D");
  const [sort, setSort] = useState("apy");
  const [email, setEmail] = useState("");
  const wrong = email !== "" && !email.includes("@") ? "An e-mail address has an @ in it." : null;
  return (
    <>
      <Sample title="Buttons">
        {looks.map((look) => (
          <Row key={look}>
            <Button look={look}>Deposit</Button>
            <Button look={look} icon={<ArrowRight aria-hidden="true" className="size-4" />}>
              With an icon
            </Button>
            <Button look={look} busy>
              Waiting for signature
            </Button>
            <Button look={look} disabled>
              Disabled
            </Button>
          </Row>
        ))}
        <Row>
          <Button size="small">Small</Button>
          <Button size="medium">Medium</Button>
          <Button size="large">Large</Button>
          <Button look="quiet" size="small" aria-label="Refresh">
            <RefreshCw aria-hidden="true" className="size-4" />
          </Button>
          <CopyButton text="0x7aF3b4f0a0B4b9C1c91D8b1F0E7E5D2c3A4991c0" what="address" />
          <a href="#main" className="link text-14">
            A link in a sentence
          </a>
        </Row>
      </Sample>
      <Sample title="Fields" note="Hint and error belong to the field and are read out with it. Type without an @.">
        <form className="grid gap-5 md:grid-cols-2" noValidate onSubmit={(event) => event.preventDefault()}>
          <TextField
            label="E-mail"
            type="email"
            autoComplete="off"
            hint="For codes and receipts only."
            value={email}
            error={wrong}
            onChange={(event) => setEmail(event.target.value)}
          />
          <TextField label="Code" defaultValue="12345" error="The code has six digits." inputMode="numeric" />
          <TextField
            label="You deposit"
            labelEnd={<span className="text-14 text-muted">Balance 1,000.00 tUSD</span>}
            figures
            inputMode="decimal"
            placeholder="0.00"
            end={
              <>
                <span className="text-14 text-muted">tUSD</span>
                <Button size="small" look="secondary" aria-label="Max: deposit the most possible">
                  Max
                </Button>
              </>
            }
          />
          <TextField label="Locked while the wallet asks" figures readOnly value="250.00" />
          <TextField label="Disabled" disabled defaultValue="Not now" />
          <SelectField
            label="Sort"
            value={sort}
            onChange={setSort}
            options={[
              { value: "apy", label: "Highest APY" },
              { value: "tvl", label: "Largest" },
            ]}
          />
        </form>
        <Row>
          <Segmented label="Range" value={range} onChange={setRange} options={ranges} />
        </Row>
      </Sample>
    </>
  );
}
