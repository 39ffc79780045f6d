import { Anchors } from "./anchors.tsx";
import { FeedTable, Fleet } from "./fleet.tsx";
import { Refused } from "./refused.tsx";
import { VerifyYourself } from "./verify-yourself.tsx";

/** What devices said, what became of it, and how to check it: of all products. */
export default function Evidence() {
  return (
    <>
      <Fleet />
      <FeedTable />
      <VerifyYourself />
      <Anchors />
      <Refused />
    </>
  );
}
