/** On the local chain: test dollars, gas and a verified record for the visitor's own wallet. */
export function FaucetCard() {
  return null;
}
