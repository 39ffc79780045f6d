/** Glossary terms that are explained where they appear. */
export type TermName = "sharePrice" | "queue" | "maturity" | "custodian" | "anchor";
