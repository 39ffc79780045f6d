import { formatRate } from "../../i18n/format.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { Sample } from "./sample.tsx";

interface Extreme {
  name: string;
  value: string | null;
}
const rows: Extreme[] = [
  { name: "Wasserkraftbeteiligungsgesellschaftsanteil der Tiroler Talsperren", value: "123456789012345678.123456" },
  { name: "第三期太陽光発電所および蓄電池設備の収益分配型預金商品", value: "0" },
  { name: "台灣離岸風力發電收益憑證（第二期）", value: "-98765432109.87" },
  { name: "0x7aF3b4f0a0B4b9C1c91D8b1F0E7E5D2c3A4991c07aF3b4f0a0B4b9C1c91D8b1F", value: null },
];
const columns: Column<Extreme>[] = [
  { key: "name", title: "Product", lead: true, render: (row) => row.name },
  {
    key: "value",
    title: "Value",
    figure: true,
    render: (row) =>
      row.value === null ? (
        <Unknown reason="The chain has not been read since this product was added." />
      ) : (
        <Amount value={row.value} unit="tUSD" tone="gain" />
      ),
  },
];

/** Values that break layouts designed with friendly data. */
export function Extremes() {
  return (
    <Sample title="Extremes" note="Long words, CJK, huge, zero, negative, unknown, pending.">
      <dl className="panel grid grid-cols-2 gap-x-6 gap-y-5 p-5 md:grid-cols-4">
        <Figure label="Huge" size="large">
          <Amount value="123456789012345678.123456" unit="tUSD" compact digits={1} />
        </Figure>
        <Figure label="Gesamteinlagenwertsicherungsquote" size="large">
          {formatRate("12345.6789")}
        </Figure>
        <Figure label="年間利回り（過去三十日間の実績に基づく）" note="確認待ち、約十二秒" size="large">
          {formatRate("-0.0525", { signed: true })}
        </Figure>
        <Figure label="예상 대기 시간" note="아직 보고서가 없습니다" size="large">
          <Unknown reason="아직 이 상품에 대한 보고서가 없어 대기 시간을 알 수 없습니다." />
        </Figure>
      </dl>
      <div className="panel overflow-hidden">
        <Table caption="Extreme rows" columns={columns} rows={rows} rowKey={(row) => row.name} />
      </div>
      <Notice
        look="caution"
        title="Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
        actions={<Button size="small">Wiederholen</Button>}
      >
        0x7aF3b4f0a0B4b9C1c91D8b1F0E7E5D2c3A4991c07aF3b4f0a0B4b9C1c91D8b1F0E7E5D2c3A4991c0
      </Notice>
      <div className="flex flex-wrap gap-2">
        <Badge look="positive">募集中</Badge>
        <Badge look="caution">일시 중지됨</Badge>
        <Badge>Dépôt à terme à taux fixe renouvelable</Badge>
      </div>
      <TextField
        label="Montant que vous souhaitez déposer dans ce produit"
        labelEnd={<span className="text-14 text-muted">Solde 123 456 789 012 345 678,12 tUSD</span>}
        figures
        defaultValue="123456789012345678.123456"
        error="Ce montant dépasse la capacité restante du produit, qui est de 1 204,56 tUSD."
      />
    </Sample>
  );
}
