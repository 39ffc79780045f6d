/** Of the field in which the amount of a deposit is typed; one is on a page at most. */
export const depositAmount = "deposit-amount";
