import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consumers } from "#functions/consumers.ts";
import type { BucketName, DeployedFunction } from "#functions/deployed-function.ts";
import { authorizer, families } from "#functions/families.ts";
import { bucketActions } from "#infra/cloud/grants.ts";
import { type Functions, sourceFunctions } from "#infra/local/functions/load-function.ts";
import { buckets as localBuckets } from "#infra/local/emulators/object-storage.ts";
import { earlyValuesOf, earlyWrite, readEnumValues } from "../releases/earlier.ts";
import { type GuardedCall, startCallGuard } from "./call-guard.ts";
import { entitiesAt, type KeyRange, type TableUse, itemsIn, tableUsesOf } from "./table-uses.ts";
import { noteStripeRequest } from "../../stripe-mock/sent-requests.ts";
import { noteShapes } from "./request-shapes.ts";

/** A declared permission of a function. Uses are texts, such as `writes order` or `s3:GetObject in exports`. */
interface Declared {
  readonly name: string;
  readonly allows: readonly string[];
  /** Any of these uses proves that the function needs the permission; empty if no call can prove it. */
  readonly provenBy: readonly string[];
}

function declaredBy({ permissions }: DeployedFunction): Declared[] {
  const { reads = [], writes = [], buckets = {}, queues = [], mails } = permissions;
  const plain = [
    ...reads.map((name) => `reads ${name}`),
    ...writes.map((name) => `writes ${name}`),
    ...queues.map((name) => `sends to ${name}`),
    ...(mails ? ["sends mail"] : []),
  ].map((name) => ({ name, allows: [name], provenBy: [name] }));
  const objects = (Object.entries(buckets) as [BucketName, string][]).map(([bucket, access]) => {
    const actions: Readonly<Record<string, readonly string[]>> = bucketActions[bucket];
    const allows = (actions[access] ?? []).map((action) => `${action} in ${bucket}`);
    const beyondReading = allows.filter((each) => !each.startsWith("s3:GetObject"));
    return {
      name: `buckets.${bucket} ${access}`,
      allows,
      provenBy:
        // Callers upload with a signed form, so the function itself sends no request.
        access === "fill" ? [] : beyondReading.length > 0 ? beyondReading : allows,
    };
  });
  return [...plain, ...objects];
}

const declarations = new Map(
  [authorizer, ...families, ...consumers].map((each) => [each.name, declaredBy(each)] as const),
);

const allowed = new Map(
  [...declarations].map(([name, declared]) => [
    name,
    new Set(declared.flatMap(({ allows }) => allows)),
  ]),
);

interface CallEffect {
  /** At least one use in each group must be permitted. */
  readonly groups: readonly (readonly string[])[];
  /** The uses that surely occurred, according to the response. */
  proves(answer: Buffer): readonly string[];
}

const writing = new Set(["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"]);

const verbOf = ({ action }: TableUse) => (writing.has(action) ? "writes" : "reads");
const groupOf = (use: TableUse, range: KeyRange) =>
  entitiesAt(use.index ?? "table", range).map((name) => `${verbOf(use)} ${name}`);

function effectInTable(uses: readonly TableUse[]): CallEffect {
  return {
    groups: uses.flatMap((use) => use.ranges.map((range) => groupOf(use, range))),
    proves(answer) {
      const returned = itemsIn(answer);
      return uses.flatMap((use) => [
        // Several entities may match the same keys. Then only the returned items prove which of them was read.
        ...use.ranges.flatMap((range) => {
          const group = groupOf(use, range);
          const isMissing = range.from === range.to && returned.length === 0;
          return group.length === 1 || verbOf(use) === "writes" || isMissing ? group : [];
        }),
        ...returned.flatMap((item) => groupOf({ ...use, index: undefined }, item)),
      ]);
    },
  };
}

const bucketNames = Object.fromEntries(
  Object.entries(localBuckets).map(([name, local]) => [local, name]),
);

function objectActions({ method, url, headers }: GuardedCall): string[] {
  const [path = "", query = ""] = url.split("?");
  const inBucket = (action: string, local = "") => `s3:${action} in ${bucketNames[local] ?? local}`;
  const [, bucket, key] = path.split("/");
  const source = String(headers["x-amz-copy-source"] ?? "")
    .split("/")
    .find((part) => part !== "");
  if (!key) return [inBucket("ListBucket", bucket)];
  if (method === "GET" || method === "HEAD") return [inBucket("GetObject", bucket)];
  if (method === "DELETE") {
    const action = query.includes("uploadId=") ? "AbortMultipartUpload" : "DeleteObject";
    return [inBucket(action, bucket)];
  }
  return [inBucket("PutObject", bucket), ...(source ? [inBucket("GetObject", source)] : [])];
}

const operationOf = ({ headers }: GuardedCall) =>
  String(headers["x-amz-target"]).split(".")[1] ?? "";

function effectOf(call: GuardedCall): CallEffect {
  const plain = (names: readonly string[]) => ({
    groups: names.map((name) => [name]),
    proves: () => names,
  });
  switch (call.service) {
    case "dynamodb":
      return effectInTable(tableUsesOf(operationOf(call), call.body));
    case "s3":
      return plain(objectActions(call));
    case "sqs": {
      // A function's event source includes permission to receive from its queue and to delay failed messages.
      if (!operationOf(call).startsWith("SendMessage")) return plain([]);
      const { QueueUrl } = JSON.parse(call.body.toString()) as { QueueUrl: string };
      return plain([`sends to ${QueueUrl.split("/").at(-1)?.replace(".fifo", "")}`]);
    }
    case "stripe":
      return plain([]);
    default:
      return plain(["sends mail"]);
  }
}

/** File with the uses that the guards of a run observed, in all its processes. */
const usesOfRun = (): string =>
  process.env["PERMISSION_USES"] ?? join(tmpdir(), "uses-of-permissions.txt");

/**
 * Permissions that are used only after a failure or after some time, whose use tests without a stack cover.
 */
const outsideStacks = new Set([
  "on-change-exports: sends to exports",
  "on-change-stream: buckets.failedChanges write",
  "on-schedule-outbox-sweep: sends to erased-ids",
]);

/** The declared permissions of a function that none of these uses proves. */
const unprovenOf = (name: string, uses: ReadonlySet<string>): Declared[] =>
  (declarations.get(name) ?? [])
    .filter(({ provenBy }) => provenBy.length > 0)
    .filter(({ provenBy }) => !provenBy.some((each) => uses.has(`${name}: ${each}`)))
    .filter((each) => !outsideStacks.has(`${name}: ${each.name}`));

/** Declared permissions of functions that no call of this test run needed. */
export function unusedPermissions(): string[] {
  const uses = new Set(
    existsSync(usesOfRun()) ? readFileSync(usesOfRun(), "utf8").split("\n") : [],
  );
  return [...declarations.keys()].flatMap((name) =>
    unprovenOf(name, uses).map((each) => `${name}: ${each.name}`),
  );
}

const endpoints = {
  dynamodb: "DYNAMODB_ENDPOINT",
  s3: "S3_ENDPOINT",
  sqs: "SQS_ENDPOINT",
  ses: "SES_ENDPOINT",
  stripe: "STRIPE_API_URL",
} as const;

export interface PermissionGuard {
  /** The functions, loaded from the sources, whose calls pass through the guard. */
  readonly functions: Functions;
  /** Calls of functions beyond their declared permissions, since this was last asked. */
  undeclared(): string[];
  stop(): Promise<void>;
}

/**
 * Compares every call of a function with its permissions in the manifest.
 *
 * @param options.refuse whether undeclared calls are refused; otherwise they pass, and `undeclared` names them
 * @param options.see receives every use of the table
 */
export async function startPermissionGuard(
  options: { refuse?: boolean; see?: (name: string, use: TableUse) => void } = {},
): Promise<PermissionGuard> {
  const targets: Record<string, string> = {};
  const undeclared = new Set<string>();
  const proven = new Set<string>();
  /** The uses of each function that would prove further permissions. Responses to other calls need not be parsed. */
  const wanted = new Map<string, ReadonlySet<string>>();
  const early = earlyValuesOf(readEnumValues());

  function problemOf(call: GuardedCall, { groups }: CallEffect): string | undefined {
    const value = call.service === "dynamodb" ? earlyWrite(early, call.body) : undefined;
    if (value !== undefined)
      return refusal(`${call.name} writes ${value}, which the previous release cannot read`);
    const group = groups.find((each) => !each.some((use) => allowed.get(call.name)?.has(use)));
    if (!group) return undefined;
    const undeclaredCall = `${call.name} ${group.join(" or ") || `calls ${call.service}`}`;
    return refusal(undeclaredCall);
  }

  /** Notes what a whole run judges later. @returns a refusal if the call has no known shape */
  function noteCall(call: GuardedCall): string | undefined {
    const { name, service, method, url, headers, body } = call;
    if (service === "stripe") {
      const content_type = headers["content-type"]?.toString();
      noteStripeRequest({ method, url, content_type, body: body.toString() });
    }
    if (service !== "dynamodb") return undefined;
    try {
      noteShapes(operationOf(call), body);
    } catch (error) {
      return refusal(`${name}: ${String(error)}`);
    }
    return undefined;
  }

  function refusal(undeclaredCall: string): string | undefined {
    undeclared.add(undeclaredCall);
    if (!options.refuse) return undefined;
    const message = `${undeclaredCall}: add that to its permissions in functions/families.ts or consumers.ts`;
    return JSON.stringify({ __type: "AccessDeniedException", message });
  }

  function wantedOf(name: string): ReadonlySet<string> {
    const known = wanted.get(name);
    if (known) return known;
    const uses = new Set(unprovenOf(name, proven).flatMap(({ provenBy }) => provenBy));
    wanted.set(name, uses);
    return uses;
  }

  function noteEffect(name: string, { groups, proves }: CallEffect, answer: Buffer): void {
    const isWanted = groups.some((group) => group.some((use) => wantedOf(name).has(use)));
    if (!isWanted) return;
    for (const use of proves(answer)) {
      if (!wantedOf(name).has(use)) continue;
      proven.add(`${name}: ${use}`);
      wanted.delete(name);
      appendFileSync(usesOfRun(), `${name}: ${use}\n`);
    }
  }

  const guard = await startCallGuard({
    target: (service) => targets[service] ?? "",
    judge(call) {
      const effect = effectOf(call);
      const problem = problemOf(call, effect) ?? noteCall(call);
      if (problem !== undefined) return problem;
      if (options.see && call.service === "dynamodb") {
        for (const use of tableUsesOf(operationOf(call), call.body)) options.see(call.name, use);
      }
      return (answer) => noteEffect(call.name, effect, answer);
    },
  });

  const guarded =
    <Of extends DeployedFunction, Loaded>(
      load: (of: Of, environment: Readonly<Record<string, string>>) => Promise<Loaded>,
    ) =>
    async (of: Of, environment: Readonly<Record<string, string>>) => {
      const behind = Object.entries(endpoints).map(async ([service, variable]) => {
        targets[service] = environment[variable] ?? "";
        return [variable, await guard.endpointFor(of.name, service)] as const;
      });
      return load(of, { ...environment, ...Object.fromEntries(await Promise.all(behind)) });
    };

  return {
    functions: {
      family: guarded(sourceFunctions.family),
      consumer: guarded(sourceFunctions.consumer) as Functions["consumer"],
      authorizer: guarded(sourceFunctions.authorizer),
    },
    undeclared() {
      const found = [...undeclared].toSorted();
      undeclared.clear();
      return found;
    },
    stop: guard.stop,
  };
}
