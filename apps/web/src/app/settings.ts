/** Build settings, read once. Each is an environment variable of the same name at build time. */
function httpsUrl(value: string | undefined, fallback: string): string {
  return value && URL.canParse(value) && new URL(value).protocol === "https:" ? value : fallback;
}

const env = import.meta.env as Record<string, string | undefined>;

export const settings = {
  /** The two external pages of the Community menu. */
  microblogUrl: httpsUrl(env.VITE_COMMUNITY_MICROBLOG_URL, "https://x.com/"),
  messagingGroupUrl: httpsUrl(env.VITE_COMMUNITY_GROUP_URL, "https://t.me/"),
} as const;
