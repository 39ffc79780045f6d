/** The assistant's name, the same in every language. */
export const assistant = "AQUA MIND";
