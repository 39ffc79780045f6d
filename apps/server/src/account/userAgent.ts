import { UAParser } from "ua-parser-js";

/** Maps the parser's name of a browser or system to the name shown. Other names are not shown. */
const browsers: Readonly<Record<string, string>> = {
  "Android Browser": "Android Browser",
  Brave: "Brave",
  Chrome: "Chrome",
  "Chrome Headless": "Chrome",
  "Chrome WebView": "Chrome",
  Chromium: "Chrome",
  DuckDuckGo: "DuckDuckGo",
  Edge: "Edge",
  Firefox: "Firefox",
  "Firefox Focus": "Firefox",
  "Huawei Browser": "Huawei Browser",
  IE: "Internet Explorer",
  "MIUI Browser": "MIUI Browser",
  "Mobile Chrome": "Chrome",
  "Mobile Firefox": "Firefox",
  "Mobile Safari": "Safari",
  Opera: "Opera",
  "Opera GX": "Opera",
  "Opera Mini": "Opera",
  "Opera Mobi": "Opera",
  "Opera Touch": "Opera",
  QQBrowser: "QQ Browser",
  Safari: "Safari",
  "Samsung Internet": "Samsung Internet",
  UCBrowser: "UC Browser",
  Vivaldi: "Vivaldi",
  WeChat: "WeChat",
  Whale: "Whale",
  Yandex: "Yandex Browser",
};
const systems: Readonly<Record<string, string>> = {
  Android: "Android",
  "Android-x86": "Android",
  "Chromium OS": "ChromeOS",
  Debian: "Linux",
  Fedora: "Linux",
  HarmonyOS: "HarmonyOS",
  Linux: "Linux",
  "Mac OS": "macOS",
  Ubuntu: "Linux",
  Windows: "Windows",
  iOS: "iOS",
};
const devices: Readonly<Record<string, string>> = { iPad: "iPad", iPhone: "iPhone", iPod: "iPhone" };

/** All names that can be shown. */
export const programNames: readonly string[] = [
  ...new Set([browsers, systems, devices].flatMap((names) => Object.values(names))),
];

/**
 * Returns our name for the one that the parser found. The parser's result may be text from the header, so only listed
 * names pass.
 */
function nameIn(names: Readonly<Record<string, string>>, found: string | undefined): string | undefined {
  return found !== undefined && Object.hasOwn(names, found) ? names[found] : undefined;
}

/**
 * Returns browser and system of a User-Agent header, such as "Firefox, Linux". This distinguishes an owner's sessions,
 * and nothing else of the header is stored. Only names from our lists are returned: anyone can write a header, and
 * mails and pages show the names to the owner. Returns null for a program that is not in the lists.
 */
export function programOf(userAgent: string | undefined): string | null {
  const { browser, os, device } = new UAParser(userAgent ?? "").getResult();
  const system = nameIn(devices, device.model) ?? nameIn(systems, os.name);
  const names = [nameIn(browsers, browser.name), system].filter((name) => name !== undefined);
  return names.join(", ") || null;
}

/** Returns a stored name, or null where an earlier version stored text of the header. */
export function knownProgram(stored: string | null): string | null {
  return stored?.split(", ").every((name) => programNames.includes(name)) ? stored : null;
}
