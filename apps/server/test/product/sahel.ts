/** A product's document, as operators write it. */
export const document = {
  short_id: "sahel-solar",
  name: "Sahel Solar",
  summary: "Pumps that run on the sun.",
  asset_class: "Irrigation",
  location: { name: "Niger", country: "NE", latitude: 13.5, longitude: 2.1 },
  image: "sahel-solar.svg",
  description: ["Water for fields."],
  yield_source: ["Sold by the cubic metre."],
  holder: { name: "Aqua Sahel", role: "Owner", country: "NE" },
  evidence: [
    { title: "Permit", issuer: "Ministry", issued: "2024-05-01", expires: null, hash: `0x${"cd".repeat(32)}` },
  ],
  risks: [{ title: "Drought", text: "No water, no income." }],
  closed_to: ["US"],
  contract_audit: { auditor: "Tide Security", date: "2026-03-01", report: "https://tide.example/aqua.pdf" },
  translations: {
    "fr-FR": {
      name: "Solaire du Sahel",
      asset_class: "Irrigation solaire",
      location: { name: "Niger (pays)" },
      risks: [{ title: "Sécheresse" }],
    },
  },
};
