/** The assistant's name; it is the same in every language. */
export const assistant = "AQUA MIND";
