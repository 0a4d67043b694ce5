import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { consumers } from "#functions/consumers.ts";
import {
  type BucketName,
  type DeployedFunction,
  environmentOf,
} from "#functions/deployed-function.ts";
import { authorizer, families } from "#functions/families.ts";
import { bucketActions } from "#infra/cloud/grants.ts";
import type { Openers } from "#infra/local/functions/load-consumer.ts";
import { type Functions, functionsWith } from "#infra/local/functions/load-function.ts";
import { buckets as localBuckets } from "#infra/local/emulators/object-storage.ts";
import type { TableClient } from "#shared/storage/table.ts";
import { addressOf, memoryAt } from "#test/memory-table/addresses.ts";
import { operationOf as commandOperation } from "#test/memory-table/memory-table.ts";
import type { Input } from "#test/memory-table/requests.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";
import { earlyValuesOf, earlyWrite, readEnumValues } from "#test/support/releases/earlier.ts";
import { type GuardedCall, startCallGuard } from "./call-guard.ts";
import { plainAnswer, plainRequest } from "./plain-request.ts";
import {
  entitiesAt,
  type KeyRange,
  type TableAnswer,
  type TableUse,
  itemsIn,
  tableUsesOf,
} from "./table-uses.ts";
import { isRecording, recordUse } from "./recorded-uses.ts";
import { noteStripeRequest } from "#test/stripe-mock/sent-requests.ts";
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
  /** The uses that surely occurred, according to the response of the table. */
  proves(answer: () => TableAnswer): readonly string[];
}

interface TableEffect extends CallEffect {
  /** The uses of each returned item: several if several entities match its keys. */
  returns(answer: () => TableAnswer): readonly (readonly string[])[];
}

const writing = new Set(["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"]);

const verbOf = ({ action }: TableUse) => (writing.has(action) ? "writes" : "reads");
const groupOf = (use: TableUse, range: KeyRange) =>
  entitiesAt(use.index ?? "table", range).map((name) => `${verbOf(use)} ${name}`);

function effectInTable(uses: readonly TableUse[]): TableEffect {
  const returns: TableEffect["returns"] = (answer) =>
    uses.flatMap((use) =>
      itemsIn(answer()).map((item) => groupOf({ ...use, index: undefined }, item)),
    );
  return {
    groups: uses.flatMap((use) => use.ranges.map((range) => groupOf(use, range))),
    returns,
    proves(answer) {
      const returned = returns(answer);
      return uses.flatMap((use) => [
        // Several entities may match the same keys. Then only the returned items prove which of them was read.
        ...use.ranges.flatMap((range) => {
          const group = groupOf(use, range);
          const isMissing = range.from === range.to && returned.length === 0;
          return group.length === 1 || verbOf(use) === "writes" || isMissing ? group : [];
        }),
        ...returned.flat(),
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

/** The effect of a call to another service than the table. */
function effectOf(call: GuardedCall): CallEffect {
  const plain = (names: readonly string[]) => ({
    groups: names.map((name) => [name]),
    proves: () => names,
  });
  switch (call.service) {
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

/** What a refusal tells the developer to do. */
export const remedy =
  "if that is right, record it with `npm run generate grants -- <this test>`, or, if it is no entity, declare it in " +
  "functions/families.ts or consumers.ts";

const denied = (message: string): string =>
  JSON.stringify({ __type: "AccessDeniedException", message });

const accessDenied = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({
    name: "AccessDeniedException",
    $fault: "client",
    $metadata: { httpStatusCode: 400, attempts: 1 },
    message,
  });

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

/** Whether a function has the variable, so that it may call the service at that address. */
const reads = (of: DeployedFunction, variable: string): boolean =>
  environmentOf(of).some((name) => name === variable);

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
 * @param options.openers openers of parts to use instead of those of the functions' entries
 */
export async function startPermissionGuard(
  options: {
    refuse?: boolean;
    see?: (name: string, use: TableUse) => void;
    openers?: Openers;
  } = {},
): Promise<PermissionGuard> {
  const targets: Record<string, string> = {};
  const undeclared = new Set<string>();
  const proven = new Set<string>();
  /** The uses of each function that would prove further permissions. Responses to other calls need not be parsed. */
  const wanted = new Map<string, ReadonlySet<string>>();
  const early = earlyValuesOf(readEnumValues());

  function problemOf(name: string, { groups }: CallEffect, service: string): string | undefined {
    const isAllowed = (group: readonly string[]) =>
      isRecording && service === "dynamodb"
        ? group.length > 0
        : group.some((use) => allowed.get(name)?.has(use));
    const group = groups.find((each) => !isAllowed(each));
    if (!group) return undefined;
    return refusal(`${name} ${group.join(" or ") || `calls ${service}`}`);
  }

  /**
   * Judges a call of a function to the table.
   *
   * @returns why it is refused, or what takes its answer
   */
  function judgeTableCall(
    name: string,
    operation: string,
    input: Input,
  ): string | ((answer: () => TableAnswer) => void) {
    const value = earlyWrite(early, input);
    if (value !== undefined) {
      const problem = refusal(`${name} writes ${value}, which the previous release cannot read`);
      if (problem !== undefined) return problem;
    }
    const uses = tableUsesOf(operation, input);
    const effect = effectInTable(uses);
    const problem = problemOf(name, effect, "dynamodb") ?? noteTableCall(name, operation, input);
    if (problem !== undefined) return problem;
    for (const use of uses) options.see?.(name, use);
    return (answer) => {
      noteEffect(name, effect, answer);
      if (isRecording) recordEffect(name, effect, answer);
    };
  }

  function recordEffect(
    name: string,
    { groups, returns }: TableEffect,
    answer: () => TableAnswer,
  ): void {
    const certain = returns(answer).filter((item) => item.length === 1);
    const returned = new Set(certain.flat());
    for (const possible of groups) {
      const seen = possible.length === 1 ? possible : possible.filter((use) => returned.has(use));
      recordUse({ name, possible, seen });
    }
  }

  /** Notes what a whole run judges later. @returns a refusal if the call has no known shape */
  function noteTableCall(name: string, operation: string, input: Input): string | undefined {
    try {
      noteShapes(operation, input);
    } catch (error) {
      return refusal(`${name}: ${String(error)}`);
    }
    return undefined;
  }

  function noteStripeCall({ method, url, headers, body }: GuardedCall): void {
    const content_type = headers["content-type"]?.toString();
    noteStripeRequest({ method, url, content_type, body: body.toString() });
  }

  function refusal(undeclaredCall: string): string | undefined {
    undeclared.add(undeclaredCall);
    return options.refuse ? `${undeclaredCall}: ${remedy}` : undefined;
  }

  function wantedOf(name: string): ReadonlySet<string> {
    const known = wanted.get(name);
    if (known) return known;
    const uses = new Set(unprovenOf(name, proven).flatMap(({ provenBy }) => provenBy));
    wanted.set(name, uses);
    return uses;
  }

  function noteEffect(
    name: string,
    { groups, proves }: CallEffect,
    answer: () => TableAnswer,
  ): void {
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
      const { name, service } = call;
      if (service === "dynamodb") {
        const verdict = judgeTableCall(name, operationOf(call), plainRequest(call.body));
        return typeof verdict === "string"
          ? denied(verdict)
          : (answer) => verdict(() => plainAnswer(answer));
      }
      const effect = effectOf(call);
      const problem = problemOf(name, effect, service);
      if (problem !== undefined) return denied(problem);
      if (service === "stripe") noteStripeCall(call);
      return () => noteEffect(name, effect, () => ({}));
    },
  });

  /** A client of the table for a function. Its calls are judged like those that pass through HTTP. */
  function guardedClient(name: string, client: TableClient): TableClient {
    const send = async (command: { readonly input: object }): Promise<unknown> => {
      const verdict = judgeTableCall(name, commandOperation(command), command.input);
      if (typeof verdict === "string") throw accessDenied(verdict);
      let answer: TableAnswer = {};
      try {
        answer = (await client.send(command as never)) as TableAnswer;
        return answer;
      } finally {
        verdict(() => answer);
      }
    };
    // The type of `send` lists every command of the SDK; the guard judges those that it knows.
    return { send: send as TableClient["send"] };
  }

  const guarded =
    <Of extends DeployedFunction, Loaded>(
      load: (of: Of, environment: Readonly<Record<string, string>>) => Promise<Loaded>,
    ) =>
    async (of: Of, environment: Readonly<Record<string, string>>) => {
      const called = Object.entries(endpoints).filter(([, variable]) => reads(of, variable));
      const behind = called.map(async ([service, variable]) => {
        const address = environment[variable] ?? "";
        const memory = memoryAt(address);
        if (memory)
          return [variable, addressOf(memory, guardedClient(of.name, memory.client))] as const;
        targets[service] = address;
        return [variable, await guard.endpointFor(of.name, service)] as const;
      });
      return load(of, { ...environment, ...Object.fromEntries(await Promise.all(behind)) });
    };

  const functions = functionsWith(() => ({ ...tableOpeners, ...options.openers }));
  return {
    functions: {
      family: guarded(functions.family),
      consumer: guarded(functions.consumer) as Functions["consumer"],
      authorizer: guarded(functions.authorizer),
    },
    undeclared() {
      const found = [...undeclared].toSorted();
      undeclared.clear();
      return found;
    },
    stop: guard.stop,
  };
}
