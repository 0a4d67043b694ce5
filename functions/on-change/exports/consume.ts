import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { GivenUp, makeExport } from "#shared/application/export/make-export.ts";
import { ExportJobId } from "#shared/domain/export/export-job.ts";
import { becauseOf } from "#shared/runtime/cause.ts";

type ExportsShop = Shop<
  "table" | "exportFiles" | "exportsQueue" | "log" | "now" | "staffIndexSource"
>;

/**
 * Runs exports. Safe to repeat: one worker leases the job, and a message about a finished or leased job is ignored.
 *
 * @throws GivenUp when a job has used up its attempts. The error raises an alarm, because the job's message may not
 *   be delivered again
 */
export async function consume({ Records }: SQSEvent, shop: ExportsShop): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  for (const record of Records) {
    if (!(await becauseOf(record, () => run(record, shop)))) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function run({ messageId, body }: SQSRecord, shop: ExportsShop): Promise<boolean> {
  try {
    await makeExport(ExportJobId.parse(JSON.parse(body)), messageId, shop);
    return true;
  } catch (cause) {
    shop.log.error("Export failed", { message_id: messageId, cause });
    if (cause instanceof GivenUp) throw cause;
    return false;
  }
}
