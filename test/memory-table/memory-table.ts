import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { TableClient } from "#shared/storage/table.ts";
import {
  type StorageCall,
  consistencyOf,
  partitionsOf,
  transactedItemsOf,
} from "#test/support/emulators/dynamodb-calls.ts";
import type { CallRecorder, Fault } from "#test/support/emulators/dynamodb-proxy.ts";
import type { ChangeStream } from "./change-stream.ts";
import { type Answer, tableOperations } from "./operations.ts";
import { cancelled, conflict, unsupported } from "./refusals.ts";
import type { Input, Operation } from "./requests.ts";
import { type Rows, copyOf, everyRow, noRows, replaceRow, rowOf } from "./rows.ts";
import { plainItem, storedItem } from "./values.ts";

/** `partial` leaves the second half of a batch unprocessed. */
type MemoryFault = Fault | "partial";

type Script = (call: StorageCall, position: number) => MemoryFault | undefined | Promise<undefined>;

/** A table in this process, which answers as DynamoDB does. */
export interface MemoryTable extends CallRecorder {
  readonly name: string;
  /** Sends the commands that `table.ts` uses, without a network. Each call yields once before it takes effect. */
  readonly client: TableClient;
  readonly stream: Pick<ChangeStream, "open">;
  disturb<Result>(
    script: Script,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; calls: StorageCall[] }>;
  /** Deletes what has expired by then. DynamoDB does so within days. */
  expire(now: Date): void;
  /**
   * While the work runs, queries of an index and reads without `ConsistentRead` see the items of these entities as
   * they were before their last write.
   */
  lagging<Result>(entities: readonly string[], work: () => Promise<Result>): Promise<Result>;
  /** Another client of the same rows, with faults and records of its own. */
  another(): MemoryTable;
  /** All items, by partition. */
  items(): Record<string, unknown>[];
}

/** The rows of many items, for tables that begin with them. */
export function rowsOf(items: Iterable<object>): Rows {
  const rows = noRows();
  for (const item of items) replaceRow(rows, undefined, rowOf(storedItem(item)));
  return rows;
}

const operationOfClass = new Map<unknown, Operation>([
  [GetCommand, "GetItem"],
  [BatchGetCommand, "BatchGetItem"],
  [QueryCommand, "Query"],
  [PutCommand, "PutItem"],
  [UpdateCommand, "UpdateItem"],
  [DeleteCommand, "DeleteItem"],
  [BatchWriteCommand, "BatchWriteItem"],
  [TransactWriteCommand, "TransactWriteItems"],
]);

/** The operation of a command, by its class. */
export function operationOf(command: object): Operation {
  const operation = operationOfClass.get(command.constructor);
  if (!operation) throw unsupported(command.constructor.name);
  return operation;
}

/** The attempts of the SDK's client. */
const attempts = 3;
/** A slow call lets others pass this often. */
const slowTurns = 10;

/** @param beginning rows that the table has from the start. They are not changed, so tables may share them. */
export function openMemoryTable({
  name = `memory-${randomUUID()}`,
  beginning = noRows(),
}: { name?: string; beginning?: Rows } = {}): MemoryTable {
  const rows = copyOf(beginning);
  return callersOf(name, rows, tableOperations(name, rows));
}

/** A client of a table, whose calls can be recorded and made to fail without those of others. */
function callersOf(
  name: string,
  rows: Rows,
  operations: ReturnType<typeof tableOperations>,
): MemoryTable {
  const { stream, perform, expire, lag } = operations;
  let script: Script | undefined;
  let recorded: StorageCall[] = [];
  let positions = 0;
  const underWay = new Set<Promise<unknown>>();

  /** Performs a call with the faults of the script, and repeats it as the SDK's client does. */
  async function withFaults(operation: Operation, input: Input): Promise<Answer["output"]> {
    positions += 1;
    const [position, invocation] = [positions, randomUUID()];
    let transacted: Answer | undefined;
    for (let attempt = 1; ; attempt++) {
      const call = arrival(operation, input, invocation, attempt);
      recorded.push(call);
      const decision = script?.(call, position);
      const fault = decision instanceof Promise ? await decision : decision;
      for (let turn = 0; turn < (fault === "slow" ? slowTurns : 1); turn++) await nextTurn();
      const isUnsent = fault === "reset" || fault === "server-error" || fault === "throttled";
      try {
        if (fault === "conflict") throw conflictOf(input);
        if (!isUnsent) {
          // All attempts of a transaction share one token, so it takes effect once.
          const answer = transacted ?? answerOf(operation, input, attempt, fault);
          Object.assign(call, { readUnits: answer.readUnits, writeUnits: answer.writeUnits });
          if (fault !== "answer-lost" && fault !== "answer-late") return answer.output;
          if (operation === "TransactWriteItems") transacted = answer;
        }
      } finally {
        call.answeredAt = performance.now();
      }
      if (attempt === attempts) throw new Unavailable("Storage did not answer");
    }
  }

  function answerOf(
    operation: Operation,
    input: Input,
    attempt: number,
    fault: MemoryFault | undefined,
  ): Answer {
    if (fault !== "partial" || !input.RequestItems) return perform(operation, input, attempt);
    const [now, later] = halves(input.RequestItems[name] ?? []);
    const answer = perform(operation, { ...input, RequestItems: { [name]: now } }, attempt);
    const rest = operation === "BatchGetItem" ? "UnprocessedKeys" : "UnprocessedItems";
    return { ...answer, output: { ...answer.output, [rest]: later && { [name]: later } } };
  }

  async function send(command: { readonly input: object }): Promise<unknown> {
    const operation = operationOf(command);
    const input = command.input as Input;
    if (!script) {
      await nextTurn();
      return perform(operation, input, 1).output;
    }
    const work = withFaults(operation, input).finally(() => underWay.delete(work));
    underWay.add(work);
    return work;
  }

  async function disturb<Result>(faults: Script, work: () => Promise<Result>) {
    script = faults;
    recorded = [];
    positions = 0;
    try {
      const result = await work();
      // A function may have stopped waiting for a request that still takes effect.
      await Promise.allSettled(underWay);
      return { result, calls: recorded };
    } finally {
      script = undefined;
    }
  }

  return {
    name,
    // The type of `send` lists every command of the SDK; `operationOf` refuses those that the table does not know.
    client: { send: send as TableClient["send"] },
    stream,
    disturb,
    record: (work) => disturb(() => undefined, work),
    expire,
    async lagging(entities, work) {
      const end = lag(entities);
      try {
        return await work();
      } finally {
        end();
      }
    },
    another: () => callersOf(name, rows, operations),
    items: () => everyRow(rows).map(({ item }) => plainItem(item)),
  };
}

function arrival(
  operation: Operation,
  input: Input,
  invocation: string,
  attempt: number,
): StorageCall {
  const arrivedAt = performance.now();
  return {
    operation,
    invocation,
    attempt,
    partitions: partitionsOf(input),
    transactedItems: transactedItemsOf(input),
    consistent: consistencyOf(operation, input),
    arrivedAt,
    answeredAt: arrivedAt,
    answerBytes: 0,
    readUnits: 0,
    writeUnits: 0,
  };
}

const conflictOf = ({ TransactItems }: Input): Error =>
  TransactItems
    ? cancelled(
        TransactItems.map((_, item) =>
          item === 0
            ? { Code: "TransactionConflict", Message: "Transaction is ongoing for the item" }
            : { Code: "None" },
        ),
      )
    : conflict();

type Batch = NonNullable<Input["RequestItems"]>[string];

/** The first part of a batch, with at least one member, and the rest. */
function halves(batch: Batch): [Batch, Batch | undefined] {
  const split = <Member>(members: readonly Member[]): [Member[], Member[]] => {
    const middle = Math.ceil(members.length / 2);
    return [members.slice(0, middle), members.slice(middle)];
  };
  if (!("Keys" in batch)) {
    const [now, later] = split(batch);
    return [now, later.length > 0 ? later : undefined];
  }
  const [now, later] = split(batch.Keys);
  return [{ ...batch, Keys: now }, later.length > 0 ? { ...batch, Keys: later } : undefined];
}
