import { devices } from "@playwright/test";

// At the scale of a desk's screen: nothing is laid out by it, and drawing nine times the points takes its time.
const { defaultBrowserType: _1, ...iPhone13 } = devices["iPhone 13"];
const { defaultBrowserType: _2, ...pixel7 } = devices["Pixel 7"];
export const iPhone = { ...iPhone13, deviceScaleFactor: 1 };
export const android = { ...pixel7, deviceScaleFactor: 1 };
