import { parseArgs } from "node:util";
import * as z from "zod";
import { openDeployment } from "./smoke/deployment.ts";
import type { Findings, SmokeOptions, StaffCredentials } from "./smoke/findings.ts";
import { publicSteps } from "./smoke/public-steps.ts";
import { runSteps } from "./smoke/run-steps.ts";
import { staffSteps } from "./smoke/staff-steps.ts";

const usage =
  "Usage: SMOKE_EMAIL=… SMOKE_PASSWORD=… npm run smoke -- --url <address> [--postal-code <code>]";

/**
 * Tries each part of a deployment once, as its callers do, and prints a line for each.
 *
 * @param options.url address of the shop, without `/api/v1`
 * @returns true if every step succeeded or was skipped
 */
export async function smoke(
  { url, ...options }: SmokeOptions & { readonly url: string },
  print: (line: string) => void,
): Promise<boolean> {
  const state: Findings = { options };
  const { health, description, browse, price, cart, upload } = publicSteps;
  const { signIn, checkout, cancel, index, mail, signOut } = staffSteps;
  const steps = [
    health,
    description,
    browse,
    price,
    cart,
    signIn,
    checkout,
    cancel,
    index,
    upload,
    mail,
    signOut,
  ];
  return runSteps(steps, { deployment: openDeployment(url), state }, print);
}

/**
 * The staff user's credentials; undefined if they are not set. They come from the environment, because other users of
 * the machine can see arguments.
 */
function staffIn(environment: NodeJS.ProcessEnv): StaffCredentials | undefined {
  const { SMOKE_EMAIL: email, SMOKE_PASSWORD: password, SMOKE_TOTP_SECRET: secret } = environment;
  return email && password ? { email, password, totpSecret: secret || undefined } : undefined;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { url: { type: "string" }, "postal-code": { type: "string" } },
  });
  const url = z.url({ protocol: /^https?$/ }).safeParse(values.url?.replace(/\/+$/, ""));
  if (url.success) {
    const options = { postalCode: values["postal-code"], staff: staffIn(process.env) };
    const passed = await smoke({ url: url.data, ...options }, (line) => console.log(line));
    process.exitCode = passed ? 0 : 1;
  } else {
    console.error(usage);
    process.exitCode = 1;
  }
}
