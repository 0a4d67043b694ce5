import { afterAll, afterEach } from "vitest";
import { forgetEffects } from "./effects.ts";
import { expectNoFindings } from "./guards.ts";

// Vitest runs this file before each test file.
forgetEffects();
afterEach(expectNoFindings);
afterAll(expectNoFindings);
