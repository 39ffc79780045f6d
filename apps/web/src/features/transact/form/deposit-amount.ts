/** The id of the deposit's amount field; there is at most one on a page. */
export const depositAmount = "deposit-amount";
