interface Task {
  by: string | undefined;
  what: string | undefined;
  /** Data for the AccessManager. */
  schedule: string | undefined;
  /** Target and data of the call; undefined while it is not allowed yet. */
  to: string | undefined;
  data: string | undefined;
}
/** Parses the tasks left to the owner from the command's output. */
export function tasksOf(text: string): Task[] {
  return text
    .split("Left to the owner ")
    .slice(1)
    .map((part) => {
      const [, by, what] = /^(0x\w{40}): (.*)/.exec(part) ?? [];
      const [, , schedule] = /\n {2}first to (\S+)\n {4}(\S+)/.exec(part) ?? [];
      const [, to, data] = /\n {2}to (\S+)\n {4}(\S+)/.exec(part) ?? [];
      return { by, what, schedule, to, data };
    });
}
