import { Anchors } from "./anchors.tsx";
import { FeedTable, Fleet } from "./fleet.tsx";
import { Refused } from "./refused.tsx";
import { VerifyYourself } from "./verify-yourself.tsx";

/** The devices' readings of all products, what became of them, and how to check them. */
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
