import { loadTexts } from "../../i18n/i18n.ts";

/** The code of a later step with its texts. */
export function later<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () => Promise.all([load(), loadTexts("register")]).then(([module]) => module);
}
