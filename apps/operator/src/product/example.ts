import { DAY_MS } from "@aqua/sdk/durations";

export type ExampleType = "demand" | "term";

export interface Example {
  type: ExampleType;
  shortId: string;
  chainId: number;
  now: Date;
}

const day = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Name of the example's document, beside its file. */
export const exampleEvidence = (shortId: string) => `${shortId}-inspection.txt`;

/** The document that the example's evidence names. */
export function evidenceText({ shortId, now }: Example): string {
  return `EXAMPLE. Put the issuer's document in place of this file.

Product:  ${shortId}
Issued:   ${day(now, 0)}
Expires:  ${day(now, 365)}
`;
}

/**
 * A product's file with comments. It is accepted on the local chain; elsewhere the asset and the accounts are refused by
 * name, because anyone has the keys of the local chain.
 */
export function exampleText(example: Example): string {
  const { type, shortId, chainId, now } = example;
  return `# A product as it is to be: \`aqua product plan\` shows how the chain differs, \`aqua product apply\` changes the chain.
# docs/operators/products.md explains each field.

type: ${type === "demand" ? "demand_deposit" : "time_deposit"}
chain_id: ${chainId}
short_id: ${shortId} # the name of its page; permanent
# salt: aqua # as in the configuration by which the contracts were deployed

# The token of all amounts; permanent. On a public chain:
#   asset: { address: "0x…", symbol: USDC, decimals: 6 }
asset: test_dollar

# Name and symbol of the share or receipt; permanent.
share_name: Example product
share_symbol: aqEXAMPLE

# In whole tokens. The owner may change both.
cap: 1000000 # most that the product takes in
min_deposit: 10

# Until when the evidence below is valid, at most 400 days ahead; null for a product without devices.
evidence_until: ${day(now, 365)}T00:00:00Z

${type === "demand" ? demandPart : termPart}
# The product's page. \`aqua product document\` writes it for the server; the registry stores the hash of its bytes.
# A path of a finished document may stand here instead: document: ${shortId}.json
document:
  name: Example product
  summary: An example that shows the fields of a product's page.
  asset_class: Example
  location: { name: Lyon, country: FR, latitude: 45.76, longitude: 4.84 }
  image: ${shortId}.svg # in the server's folder of products
  description:
    - Your deposit finances the asset that is described here.
  yield_source:
    - The holder pays a part of the asset's proceeds.
  holder: { name: Example holder, role: Owns the asset, country: FR }
  evidence:
    # \`file\` is beside this file; its hash is computed. Without \`file\`, \`hash\` is its keccak-256.
    - title: Inspection of the asset
      issuer: Example inspectors
      issued: ${day(now, 0)}
      expires: ${day(now, 365)} # null where the document has no such date
      file: ${exampleEvidence(shortId)}
  risks:
    - title: The asset
      text: The asset can earn less than planned. Losses reduce what you can withdraw.
  closed_to: [] # countries (ISO 3166-1) to whose residents the product is not offered
  # Each list has as many items as the English one. A text that is left out is shown in English.
  translations:
    zh-CN:
      name: 示例产品
      summary: 此示例展示产品页面的各个字段。
      asset_class: 示例
      location: { name: 里昂 }
      description: [你的存款为此处所述的资产提供资金。]
      yield_source: [持有方支付资产收入的一部分。]
      holder: { name: 示例持有方, role: 拥有该资产 }
      evidence: [{ title: 资产检查, issuer: 示例检查机构 }]
      risks: [{ title: 资产, text: 资产的收入可能低于计划。亏损会减少可赎回的金额。 }]
    zh-TW:
      name: 範例商品
      summary: 此範例展示商品頁面的各個欄位。
      asset_class: 範例
      location: { name: 里昂 }
      description: [您的存款為此處所述的資產提供資金。]
      yield_source: [持有方支付資產收入的一部分。]
      holder: { name: 範例持有方, role: 擁有該資產 }
      evidence: [{ title: 資產檢查, issuer: 範例檢查機構 }]
      risks: [{ title: 資產, text: 資產的收入可能低於計畫。虧損會減少可贖回的金額。 }]
    ko-KR:
      name: 예시 상품
      summary: 상품 페이지의 항목을 보여 주는 예시입니다.
      asset_class: 예시
      location: { name: 리옹 }
      description: [예치금은 여기에 설명된 자산에 자금을 댑니다.]
      yield_source: [소유자가 자산 수입의 일부를 지급합니다.]
      holder: { name: 예시 소유자, role: 자산 소유 }
      evidence: [{ title: 자산 검사, issuer: 예시 검사 기관 }]
      risks: [{ title: 자산, text: 자산의 수입이 계획보다 적을 수 있습니다. 손실이 나면 출금할 수 있는 금액이 줄어듭니다. }]
    fr-FR:
      name: Produit d’exemple
      summary: Un exemple qui montre les champs de la page d’un produit.
      asset_class: Exemple
      location: { name: Lyon }
      description: [Votre dépôt finance l’actif décrit ici.]
      yield_source: [Le propriétaire verse une partie des recettes de l’actif.]
      holder: { name: Propriétaire d’exemple, role: Possède l’actif }
      evidence: [{ title: Contrôle de l’actif, issuer: Contrôleurs d’exemple }]
      risks:
        - title: L’actif
          text: L’actif peut rapporter moins que prévu. Les pertes réduisent ce que vous pouvez retirer.

# The product's devices, as \`aqua device enrol\` takes them. For instance:
#   - { name: pump-1, metric: energy, exponent: -3, place: Hall 1, latitude: 45.76, longitude: 4.84, model: Meter 3,
#       trust: secure_element, min: 0, max: 1000000, interval: 300000 }
devices: []
`;
}

/** Accounts of the local chain. Their keys are published, so that no other chain accepts them. */
const custodian = "0x7D86687F980A56b832e9378952B738b614A99dc6";
const treasury = "0x9eF6c02FB2ECc446146E05F1fF687a788a8BF76d";

const demandPart = `# Permanent: over how many seconds a gain is streamed, how old a report may be, and the largest gain.
vesting_seconds: 86400
max_report_age_seconds: 604800
max_gain_percent_per_year: 30

# Who receives the money to invest, and the part that is never invested. The owner may change all four.
custodian: "${custodian}"
buffer_percent: 20
# Where fees go, and the part of a gain that is the fee (at most 30).
treasury: "${treasury}"
fee_percent: 10
`;

const termPart = `# Permanent: who receives the money to invest, and the part that is never invested.
custodian: "${custodian}"
buffer_percent: 20

# The terms on offer, in this order for ever: add new ones at the end. \`cap\` and \`open\` may change, the rest is permanent.
terms:
  - count: 3
    unit: month # day, week, month or year
    rate_percent: 4
    break_rate_percent: 1 # the early-withdrawal rate
    penalty_percent: 0.5 # the early-withdrawal fee
    cap: 400000
    open: true
  - { count: 1, unit: year, rate_percent: 6.25, break_rate_percent: 2, penalty_percent: 1, cap: 600000, open: true }
`;
