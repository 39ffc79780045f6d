import { cleanup } from "@testing-library/react";
import { afterEach, beforeAll } from "vitest";
import { activateLanguage } from "../src/i18n/i18n.ts";

beforeAll(() => activateLanguage("en-US"));
afterEach(cleanup);
