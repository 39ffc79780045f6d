/** Settings of this build, read once. Each can be given to the build as an environment variable of the same name. */
function httpsUrl(value: string | undefined, fallback: string): string {
  return value && URL.canParse(value) && new URL(value).protocol === "https:" ? value : fallback;
}

const env = import.meta.env as Record<string, string | undefined>;

export const settings = {
  /** The two outside pages of the Community menu. */
  microblogUrl: httpsUrl(env.VITE_COMMUNITY_MICROBLOG_URL, "https://x.com/"),
  messagingGroupUrl: httpsUrl(env.VITE_COMMUNITY_GROUP_URL, "https://t.me/"),
} as const;
