import { demoCatalogEntries } from "#infra/local/demo/catalog-entries.ts";
import { randomBytes } from "node:crypto";
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BatchWriteItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { buckets, startObjectStorage } from "#infra/local/emulators/object-storage.ts";
import { type ExportJob, newExportJob } from "#shared/domain/export/export-job.ts";
import type { ExportedOrder } from "#shared/domain/export/exported-records.ts";
import type { ExportFormat } from "#shared/domain/export/export.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { itemOf } from "#shared/storage/entity.ts";
import { openLinks } from "#shared/files/signed-link.ts";
import { ExportJobs, startExport } from "#shared/storage/export/export-jobs.ts";
import { OrderTransactions, Orders } from "#shared/storage/order/orders.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { csvOf, downloaded, jsonOf } from "../back-office/exports.ts";
import { aCharge } from "./order-record.ts";
import { aPlacedOrder } from "./placed-orders.ts";

/** The entries of the demo shop. */
export const demoEntries = await demoCatalogEntries(new Date("2026-11-21T09:00:00.000Z"));
type DemoEntry = (typeof demoEntries)[number];

/** The demo shop's entries, repeated under coined names up to this number. */
export function manyEntries(size: number): DemoEntry[] {
  return Array.from({ length: size }, (_, at) => {
    const entry = demoEntries[at % demoEntries.length]!;
    if (at < demoEntries.length) return entry;
    const word = at.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? digit);
    const name = `${word} ${entry.text.name.split(" ").slice(1).join(" ")}`;
    const card = {
      ...entry.card,
      id: `${entry.card.id}${at}`,
      slug: `${entry.card.slug}-${at}`,
      name,
    };
    return { ...entry, card, text: { ...entry.text, name } };
  });
}

const dayMs = 86_400_000;

/** The planted totals, to compare with an export. */
export interface Planted {
  readonly orders: number;
  readonly grandTotal: number;
  readonly paid: number;
}

/** Starts a table with this many orders of the last half year, object storage and a queue, but no functions. */
export async function startManyOrders(count: number) {
  const dynamoDb = await startDynamoDb({ tableName: "many-orders", dropTable: true });
  const storage = await startObjectStorage();
  const table = openTable({ name: dynamoDb.tableName, endpoint: dynamoDb.endpoint });
  const planted = await plantOrders(dynamoDb, count);
  const environment = {
    TABLE_NAME: dynamoDb.tableName,
    DYNAMODB_ENDPOINT: dynamoDb.endpoint,
    INDEX_BUCKET: buckets.index,
    EXPORTS_BUCKET: buckets.exports,
    EXPORTS_QUEUE_URL: storage.queueUrl("exports"),
    S3_ENDPOINT: storage.endpoint,
    SQS_ENDPOINT: storage.endpoint,
  };
  return {
    table,
    planted,
    environment,
    async stop() {
      await storage.stop();
      await dynamoDb.stop();
    },
  };
}

async function plantOrders(
  { tableName, endpoint }: { tableName: string; endpoint: string },
  count: number,
): Promise<Planted> {
  const client = new DynamoDBClient(clientDefaults(endpoint));
  // The long notes make each order as large as one with several lines, so that the export of a few thousand orders is
  // uploaded in more than one part.
  const order = { ...aPlacedOrder(), notes: "Call before you come. ".repeat(100) };
  const now = Date.now();
  let [grandTotal, paid] = [0, 0];
  const rows = Array.from({ length: count }, (_, number) => {
    const placed = new Date(now - ((number * 7_919) % (180 * dayMs)));
    const placed_at = placed.toISOString();
    const amount = order.totals.grand_total + number;
    const id = newId("ord", placed);
    grandTotal += amount;
    paid += number;
    const totals = { ...order.totals, grand_total: amount };
    const named = orderNumber(randomBytes(16));
    return [
      itemOf(Orders, { ...order, id, number: named, totals, paid: number, placed_at }),
      itemOf(OrderTransactions, { ...aCharge({ id: newId("txn", placed) }), order_id: id }),
    ];
  }).flat();
  for (let start = 0; start < rows.length; start += 25) {
    const requests = rows
      .slice(start, start + 25)
      .map((item) => ({ PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
  }
  client.destroy();
  return { orders: count, grandTotal, paid };
}

/** A job that can be claimed. */
export async function aWaitingJob(table: Table, format: ExportFormat): Promise<ExportJob> {
  const now = new Date();
  const job = newExportJob(
    { type: "orders", format, requested_by: newId("stf", now) },
    { id: newId("exp", now), now },
  );
  await table.write(startExport(job, undefined));
  return job;
}

/**
 * Runs a job in a separate process.
 *
 * @returns the process's peak memory in MB
 */
export async function exportInProcess(
  environment: Readonly<Record<string, string>>,
  { type, format, requested_by }: ExportJob,
): Promise<number> {
  const script = fileURLToPath(new URL("../back-office/export-process.ts", import.meta.url));
  const child = fork(script, [JSON.stringify({ type, format, requested_by })], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    child.on("message", (peakMb) => resolve(Number(peakMb)));
    child.on("exit", (code) => reject(new Error(`The worker ended with ${code}`)));
  });
}

/** A table with many orders, and the storage of their exports. */
export type ManyOrders = Awaited<ReturnType<typeof startManyOrders>>;

/**
 * The result of a job.
 *
 * @throws Error when it is not ready
 */
export async function madeBy({ table, environment }: ManyOrders, job: ExportJob): Promise<Buffer> {
  const after = await table.get(ExportJobs, job);
  if (!after?.result) throw new Error("The export is not ready");
  const linkTo = openLinks({ bucket: buckets.exports, endpoint: environment.S3_ENDPOINT });
  const { records, result } = after;
  const url = await linkTo(`${after.id}/${result.name}`, {
    filename: "orders",
    lifetimeSeconds: 900,
    now: new Date(),
  });
  return downloaded({ status: "ready", url, expires_at: "", records, ...result });
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** The totals of an export file. Those of a CSV file are the sums of its columns. */
export function metricsOf(file: Buffer, format: ExportFormat): Planted {
  if (format === "csv") {
    const lines = csvOf(file);
    return {
      orders: new Set(lines.map((line) => line["order_id"])).size,
      grandTotal: sumOf(lines.map((line) => Number(line["grand_total"]))),
      paid: sumOf(lines.map((line) => Number(line["paid"]))),
    };
  }
  const rows = jsonOf<ExportedOrder>(file).records.map(({ data }) => data);
  return {
    orders: new Set(rows.map(({ id }) => id)).size,
    grandTotal: sumOf(rows.map(({ totals }) => totals.grand_total)),
    paid: sumOf(rows.map(({ totals }) => totals.paid)),
  };
}
