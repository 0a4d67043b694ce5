import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consumers } from "#functions/consumers.ts";
import type { BucketName, DeployedFunction } from "#functions/deployed-function.ts";
import { authorizer, families } from "#functions/families.ts";
import { bucketActions } from "#infra/cloud/grants.ts";
import { type Functions, sourceFunctions } from "#infra/local/load-function.ts";
import { buckets as localBuckets } from "#infra/local/object-storage.ts";
import { earlyValuesOf, earlyWrite } from "../releases/early-values.ts";
import { readEnumValues } from "../releases/stored-enums.ts";
import { type GuardedCall, startCallGuard } from "./call-guard.ts";
import { entitiesAt } from "./entities-at.ts";
import { type TableUse, tableUsesOf } from "./table-uses.ts";

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

/**
 * The effect of a call. At least one use in each group must be permitted. `proves` lists the uses that surely occurred.
 */
interface CallEffect {
  readonly groups: readonly (readonly string[])[];
  readonly proves: readonly string[];
}

const writing = new Set(["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"]);

function effectInTable({ action, ranges, index, returnedItems }: TableUse): CallEffect {
  const verb = writing.has(action) ? "writes" : "reads";
  const does = (names: readonly string[]) => names.map((name) => `${verb} ${name}`);
  const groups = ranges.map((range) => does(entitiesAt(index ?? "table", range)));
  // Several entities may match the same keys. Then only the returned items prove which of them was read.
  const certain = groups.filter(({ length }, position) => {
    const range = ranges[position];
    const isOneKey = range !== undefined && range.from === range.to;
    return length === 1 || verb === "writes" || (isOneKey && returnedItems.length === 0);
  });
  return {
    groups,
    proves: [
      ...certain.flat(),
      ...does(returnedItems.flatMap((item) => entitiesAt("table", item))),
    ],
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

function effectsOf(call: GuardedCall, answer?: Buffer): CallEffect[] {
  const [, operation = ""] = String(call.headers["x-amz-target"]).split(".");
  const plain = (names: readonly string[]) => [
    { groups: names.map((name) => [name]), proves: names },
  ];
  switch (call.service) {
    case "dynamodb":
      return tableUsesOf(operation, call.body, answer).map(effectInTable);
    case "s3":
      return plain(objectActions(call));
    case "sqs": {
      // A function's event source includes permission to receive from its queue and to delay failed messages.
      if (!operation.startsWith("SendMessage")) return [];
      const { QueueUrl } = JSON.parse(call.body.toString()) as { QueueUrl: string };
      return plain([`sends to ${QueueUrl.split("/").at(-1)?.replace(".fifo", "")}`]);
    }
    default:
      return plain(["sends mail"]);
  }
}

/** File with the uses that the guards of this test run observed; its folder is deleted when the run ends. */
const usesOfRun = join(tmpdir(), "uses-of-permissions.txt");

/** Permissions that are used only after a failure or after some time. Tests without a stack cover their use. */
const outsideStacks = new Set([
  "on-change-exports: sends to exports",
  "on-change-stream: buckets.failedChanges write",
  "on-schedule-outbox-sweep: sends to erased-ids",
]);

/** The declared permissions of a function that none of these uses proves. */
const unprovenOf = (name: string, uses: ReadonlySet<string>): string[] =>
  (declarations.get(name) ?? [])
    .filter(({ provenBy }) => provenBy.length > 0)
    .filter(({ provenBy }) => !provenBy.some((each) => uses.has(`${name}: ${each}`)))
    .map((each) => `${name}: ${each.name}`)
    .filter((each) => !outsideStacks.has(each));

/** Declared permissions of functions that no call of this test run needed. */
export function unusedPermissions(): string[] {
  const uses = new Set(existsSync(usesOfRun) ? readFileSync(usesOfRun, "utf8").split("\n") : []);
  return [...declarations.keys()].flatMap((name) => unprovenOf(name, uses));
}

const endpoints = {
  dynamodb: "DYNAMODB_ENDPOINT",
  s3: "S3_ENDPOINT",
  sqs: "SQS_ENDPOINT",
  ses: "SES_ENDPOINT",
} as const;

export interface PermissionGuard {
  /** The functions, loaded from the sources, whose calls pass through the guard. */
  readonly functions: Functions;
  /** Calls of functions beyond their declared permissions. */
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
  /** Functions whose permissions are all proven. The responses to their further calls need not be parsed. */
  const complete = new Set<string>();
  const early = earlyValuesOf(readEnumValues());

  function problemOf(call: GuardedCall): string | undefined {
    const allowed = new Set(declarations.get(call.name)?.flatMap(({ allows }) => allows));
    const value = call.service === "dynamodb" ? earlyWrite(early, call.body) : undefined;
    if (value !== undefined)
      return refusal(`${call.name} writes ${value}, which the previous release cannot read`);
    const group = effectsOf(call)
      .flatMap(({ groups }) => groups)
      .find((each) => !each.some((name) => allowed.has(name)));
    if (!group) return undefined;
    const undeclaredCall = `${call.name} ${group.join(" or ") || `calls ${call.service}`}`;
    return refusal(undeclaredCall);
  }

  function refusal(undeclaredCall: string): string | undefined {
    undeclared.add(undeclaredCall);
    if (!options.refuse) return undefined;
    const message = `${undeclaredCall}: add that to its permissions in functions/families.ts or consumers.ts`;
    return JSON.stringify({ __type: "AccessDeniedException", message });
  }

  function note(use: string): void {
    if (proven.has(use)) return;
    proven.add(use);
    appendFileSync(usesOfRun, `${use}\n`);
  }

  function noteEffects(call: GuardedCall, answer: Buffer): void {
    if (complete.has(call.name)) return;
    const before = proven.size;
    for (const { proves } of effectsOf(call, answer)) {
      for (const each of proves) note(`${call.name}: ${each}`);
    }
    if (proven.size > before && unprovenOf(call.name, proven).length === 0) complete.add(call.name);
  }

  const guard = await startCallGuard({
    target: (service) => targets[service] ?? "",
    refuse: problemOf,
    see(call, answer) {
      noteEffects(call, answer);
      if (call.service !== "dynamodb" || !options.see) return;
      const [, operation = ""] = String(call.headers["x-amz-target"]).split(".");
      for (const use of tableUsesOf(operation, call.body)) options.see(call.name, use);
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
    undeclared: () => [...undeclared].toSorted(),
    stop: guard.stop,
  };
}
