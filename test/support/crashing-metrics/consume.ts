import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { onChangeMetrics } from "#functions/on-change/queue-consumers.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { Table } from "#shared/storage/table.ts";

type MetricsShop = Parameters<typeof onChangeMetrics>[1];

/** The number of crashes, and of all invocations. */
export const wakings = { crashed: 0, all: 0 };

/** The metrics consumer, which crashes every other time before, during or after its work. */
export async function consume(event: SQSEvent, shop: MetricsShop): Promise<SQSBatchResponse> {
  const work = (table = shop.table) => onChangeMetrics(event, { ...shop, table });
  switch (wakings.all++ % 8) {
    case 0:
      return dead(event);
    case 2:
      return work(dyingTable(shop));
    case 4:
      await work();
      return dead(event);
    case 6:
      // Two concurrent invocations, as when a message is delivered twice.
      await Promise.all([work(), work()]);
      return dead(event);
    default:
      return work();
  }
}

/** A crash: no message is acknowledged. */
function dead({ Records }: SQSEvent): SQSBatchResponse {
  wakings.crashed++;
  return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** A table that fails after two transactions. The second one is applied, but its response is lost. */
function dyingTable({ table }: MetricsShop): Table {
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
