import { loadTexts } from "../../i18n/i18n.ts";

/** Loads the code of a later step together with its texts. */
export function later<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () => Promise.all([load(), loadTexts("register")]).then(([module]) => module);
}
