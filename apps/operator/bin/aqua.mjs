#!/usr/bin/env node
// The command `aqua` of an operator: runs the sources as they are.
import { register } from "tsx/esm/api";

register();
await import("../src/main.ts");
