import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { isReleaseCommit } from "./ci/release-commit.ts";
import { type Stage, type Step, runStages, summaryOf } from "./ci/steps.ts";
import { shapesMissing, shapesOfWholeRun } from "./dynamodb-local/known-shapes.ts";
import { requestsOfWholeRun } from "./stripe-mock/sent-requests.ts";
import { unusedPermissions } from "#test/guards/permission-guard.ts";

/**
 * Runs both tiers and DynamoDB Local, asks Stripe's mock server about the requests to Stripe, and then judges what only
 * a whole run can show: that some test needs every declared permission. DynamoDB Local is also asked the shapes of
 * requests that this run was the first to send.
 */
const { values } = parseArgs({
  options: {
    /** Also what a change must pass beside the tests: `npm run check` and a short rehearsal. */
    ci: { type: "boolean", default: false },
    /** Seconds that installing the packages took, for the summary. */
    "seconds-of-install": { type: "string" },
  },
});
const root = join(import.meta.dirname, "..");
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

const ofScript = (name: string, script: string, ...args: string[]): Step => ({
  name,
  command: ["npm", "run", "--silent", script, "--", ...args],
});
const generators = ofScript("generators", "test:generators", "--where-possible");

/** What needs no test's result. Without Python there is no MiniStack; then the rehearsal says so. */
const besideTests: Stage = values.ci
  ? [
      ofScript("check", "check"),
      ofScript("rehearsal", "rehearse", "--short", "--where-possible"),
      generators,
    ]
  : [generators];
/** What needs the requests that the tests sent. */
const afterTests: Stage = [
  ofScript("DynamoDB Local", "test:dynamodb-local", "--where-possible"),
  ofScript("Stripe's mock server", "test:stripe-mock", "--where-possible"),
];
/** The first tier on the DynamoDB emulator. Other commits run it on a table in memory only. */
const onEmulator: Step = {
  name: "first tier on the emulator",
  command: ["npm", "test"],
  environment: { TABLE: "emulator" },
};
const isRelease = values.ci ? isReleaseCommit(root) : false;
if (isRelease === undefined) {
  console.log("HEAD's parent is not in this clone, so the commit is not taken for a release.");
}

const installSeconds = Number(values["seconds-of-install"] ?? 0);
const startedAt = performance.now();
const results = await runStages([
  besideTests,
  [ofScript("both tiers", "test:both-tiers")],
  afterTests,
  ...(isRelease ? [[onEmulator]] : []),
]);
if (results.every(({ outcome }) => outcome === "passed")) judgeWholeRun();
else process.exitCode = 1;
console.log(
  summaryOf(
    [
      ...(values["seconds-of-install"] === undefined
        ? []
        : [{ name: "npm ci", outcome: "passed", seconds: installSeconds } as const]),
      ...results,
    ],
    installSeconds + (performance.now() - startedAt) / 1_000,
  ),
);

function judgeWholeRun(): void {
  const unused = unusedPermissions();
  if (unused.length > 0) {
    console.error(
      `Permissions that no test needed:\n${unused.join("\n")}\n` +
        "Remove those for the table: npm run generate grants -- --prune",
    );
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
}
