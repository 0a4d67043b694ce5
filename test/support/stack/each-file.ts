import { afterAll, afterEach } from "vitest";
import { useSockets } from "../http/in-process.ts";
import { forgetEffects } from "./effects.ts";
import { expectNoFindings } from "./guards.ts";

// Vitest runs this file before each test file.
forgetEffects();
useSockets(false);
afterEach(expectNoFindings);
afterAll(expectNoFindings);
