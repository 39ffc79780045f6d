/** Where a command reads its settings and writes what it has to say. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  out(text: string): void;
  error(text: string): void;
}
