import { parseArgs } from "node:util";
import { claimDataDir } from "./data-dir.ts";
import { localBundles } from "./local-bundles.ts";
import { announce } from "./running-stack.ts";
import { seedIfEmpty } from "./seed-if-empty.ts";
import { stackOptions } from "./stack-options.ts";
import { type StackOptions, startStack } from "./stack.ts";
import { staffLogins } from "./staff-logins.ts";
import { addresses, staffCall, tryIt } from "./try-it.ts";

const { promise: told, resolve: tell } = Promise.withResolvers<void>();
// Whoever presses Ctrl-C under npm sends the signal twice; the second changes nothing.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => tell());

try {
  await run();
  process.exit(0);
} catch (problem) {
  console.error(explain(problem));
  process.exit(1);
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { bundled: { type: "boolean", default: false } } });
  const options: StackOptions = {
    ...stackOptions(process.env),
    bundles: values.bundled ? await localBundles() : undefined,
  };
  const release = options.dataDir === undefined ? undefined : claimDataDir(options.dataDir);
  try {
    await serveUntilTold(options);
  } finally {
    release?.();
  }
}

async function serveUntilTold(options: StackOptions): Promise<void> {
  const stack = await startStack({ ...options, seed: seedIfEmpty });
  try {
    await stack.settled();
    const withdraw = announce(stack);
    const logins = await staffLogins(stack.environment);
    const lines = [
      `Ready in ${process.uptime().toFixed(1)} s: ${stack.baseUrl}`,
      `Explorer:    ${stack.baseUrl}/docs/api (described in ${stack.baseUrl}/docs/api.json)`,
      `Inbox:       ${stack.environment.SES_ENDPOINT}`,
      `Stripe:      ${stack.environment.STRIPE_API_URL} (a stand-in; no money moves)`,
      `WhatsApp:    ${stack.environment.WHATSAPP_API_URL} (a stand-in; nothing leaves this machine)`,
      ...(options.bundles === undefined ? [] : [`Functions:   the bundles in ${options.bundles}`]),
      options.dataDir
        ? `Data are kept in ${options.dataDir}.`
        : "Data are gone when it stops; set DATA_DIR to keep them.",
      ...logins,
      "",
      "Try it:",
      "",
      addresses(stack.baseUrl, stack.environment),
      ...(await tryIt(stack.baseUrl, stack.environment.STRIPE_API_URL)),
      ...(logins.length > 0 ? staffCall(stack.baseUrl) : []),
      "",
      "Ctrl-C stops it.",
    ];
    console.log(lines.join("\n"));
    await told;
    withdraw();
  } finally {
    await stack.stop();
  }
}

function explain(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  if ("code" in problem && problem.code === "EADDRINUSE") {
    return `${problem.message}. Set PORT to another one, or to 0 for any free one.`;
  }
  if ("code" in problem && String(problem.code).startsWith("ERR_PARSE_ARGS_")) {
    return `${problem.message}. Usage: npm start [-- --bundled]`;
  }
  return problem instanceof RangeError ? problem.message : (problem.stack ?? problem.message);
}
