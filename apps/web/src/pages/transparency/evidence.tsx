import { Anchors } from "./anchors.tsx";
import { FeedTable, Fleet } from "./fleet.tsx";
import { Refused } from "./refused.tsx";

/** What devices said, what became of it, and how to check it: of all products. */
export default function Evidence() {
  return (
    <>
      <Fleet />
      <FeedTable />
      <Anchors />
      <Refused />
    </>
  );
}
