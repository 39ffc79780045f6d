/** Settings and output of a command. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  out(text: string): void;
  error(text: string): void;
}
