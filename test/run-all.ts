import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { shapesMissing, shapesOfWholeRun } from "./dynamodb-local/known-shapes.ts";
import { requestsOfWholeRun } from "./stripe-mock/sent-requests.ts";
import { unusedPermissions } from "./support/permissions/permission-guard.ts";

/**
 * Runs both tiers, against the sources, the bundles and DynamoDB Local, asks Stripe's mock server about the requests to
 * Stripe, and then judges what only a whole run can show: that some test needs every declared permission. DynamoDB Local is also asked the shapes of requests that this
 * run was the first to send.
 */
const scratch = mkdtempSync(join(tmpdir(), "furniture-run-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
// All processes of the run note the uses of permissions in one file.
process.env["PERMISSION_USES"] = join(scratch, "uses-of-permissions.txt");
// The same for shapes of requests.
const shapes = join(scratch, "request-shapes.jsonl");
process.env["REQUEST_SHAPES"] = shapes;

// And for requests to Stripe.
const stripeRequests = join(scratch, "stripe-requests.jsonl");
process.env["STRIPE_REQUESTS"] = stripeRequests;

const steps: readonly (readonly [script: string, ...args: string[]])[] = [
  ["test:both-tiers"],
  ["test:bundled"],
  ["test:dynamodb-local", "--", "--where-possible"],
  ["test:stripe-mock", "--", "--where-possible"],
  ["test:generators", "--", "--where-possible"],
];

for (const [script, ...args] of steps) {
  const child = spawn("npm", ["run", "--silent", script, ...args], { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) process.exit(code ?? 1);
}
const unused = unusedPermissions();
if (unused.length > 0) {
  console.error(`Declared permissions that no test needed:\n${unused.join("\n")}`);
  process.exitCode = 1;
}
mkdirSync(dirname(shapesOfWholeRun), { recursive: true });
copyFileSync(shapes, shapesOfWholeRun);
copyFileSync(stripeRequests, requestsOfWholeRun);
const differences = shapesMissing(shapes);
if (differences.length > 0) {
  console.log(
    `Shapes of requests differ from the known ones:\n${differences.join("\n")}\n` +
      "Update them: npm run generate shapes",
  );
}
