/**
 * The answered fields that the audit does not compare, with the reason. A field of an answer is either compared or
 * matches one of these patterns; a test fails otherwise. A pattern is the call without its parameters, and the field.
 * `*` stands for any text.
 */
export const uncompared: readonly { fields: readonly string[]; reason: string }[] = [
  {
    fields: ["*.as_of.stale"],
    reason: "the server's own view of how current it is; the audit compares the figures at the block that it names",
  },
  {
    fields: [
      ...[
        "name",
        "metric",
        "kind",
        "unit",
        "place",
        "latitude",
        "longitude",
        "model",
        "trust",
        "co_signer",
        "min",
        "max",
      ],
      ...["interval", "intervals*", "status", "last*", "readings", "availability", "quality*"],
    ].map((field) => `product/*/devices[].${field}`),
    reason: "set by the operator, or measured by the server's clock; the device's key is compared",
  },
  {
    fields: [
      "*.name",
      "*.summary",
      "*.location",
      "*.asset_class",
      "*.image",
      "*.closed_to*",
      "*.base*",
      "product/*.description*",
      "product/*.yield_source*",
      "product/*.holder*",
      "product/*.evidence[]*",
      "product/*.risks*",
      "product/*.coordinates*",
      "product/*.contract_audit*",
    ],
    reason: "text from the product's document, whose hash is compared",
  },
  {
    fields: ["*.devices_24h", "product/home.report.reading*", "product/home.report.batch*"],
    reason: "follows from readings, which only their devices' signatures and batches prove (`aqua verify`)",
  },
  {
    fields: [
      "product/*/income.metric*",
      "product/*/income.items[].counted",
      "product/*/income.items[].proceeds",
      "product/*/income.items[].expected",
      "product/*/income.items[].other*",
    ],
    reason: "follows from readings and the product's document",
  },
  {
    fields: [
      ...["total", "by_status*", "by_trust*", "co_signers*", "by_key*", "reporting_24h", "accepted_24h", "readings"],
      ...["refused_24h*", "flawed_24h*", "as_of.chain_id", "as_of.block", "as_of.time", "feeds[].devices"],
      ...["feeds[].in_service", "feeds[].last_reading", "feeds[].readings_stale", "feeds[].unanchored"],
      "feeds[].anchor_stale",
    ]
      .map((field) => `transparency/devices.${field}`)
      .concat("transparency/losses.missing*", "transparency/losses.declared*", "transparency/anchors.items[].file"),
    reason: "says what this server received and keeps; the batches of each feed are compared",
  },
  {
    fields: ["*.page", "*.page_size"],
    reason: "repeats the question",
  },
];

const patterns = uncompared.flatMap(({ fields }) =>
  fields.map((field) => ({
    field,
    matches: new RegExp(`^${field.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`),
  })),
);

/** The pattern that names a field of an answer, without the places in lists. Null if there is none. */
export function uncomparedBy(field: string): string | null {
  return patterns.find(({ matches }) => matches.test(field))?.field ?? null;
}
