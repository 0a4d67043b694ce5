import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { consume as consumeReally } from "#functions/on-change/metrics/consume.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Deps } from "./deps.ts";

/** The consumer of metrics as it is, which every other time dies before, amid or after its work. */
export async function consume(event: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const { wakings } = deps;
  const work = (table = deps.table) => consumeReally(event, { ...deps, table });
  switch (wakings.all++ % 8) {
    case 0:
      return dead(event, deps);
    case 2:
      return work(dyingTable(deps));
    case 4:
      await work();
      return dead(event, deps);
    case 6:
      // Two at the same time, as when a message is handed out twice.
      await Promise.all([work(), work()]);
      return dead(event, deps);
    default:
      return work();
  }
}

/** Nobody has acknowledged anything. */
function dead({ Records }: SQSEvent, { wakings }: Deps): SQSBatchResponse {
  wakings.crashed++;
  return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Nothing works any more once two transactions are done; the second was, but nobody was told. */
function dyingTable({ table, wakings }: Deps): Table {
  let done = 0;
  return {
    ...table,
    async transact(writes) {
      if (done < 2) await table.transact(writes);
      done++;
      if (done < 2) return;
      wakings.crashed++;
      throw new Unavailable("Storage did not answer");
    },
  };
}
