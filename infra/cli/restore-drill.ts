import { parseArgs } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { replayErasures } from "#shared/application/customer/replay-erasures.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { listObjects } from "#shared/files/list-objects.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { openTable } from "#shared/storage/table.ts";
import { awsBackups, restoreTable } from "./restore/restored-table.ts";

const usage =
  "Usage: ERASED_IDS_BUCKET=… npm run restore-drill -- --from <table> --to <new table> " +
  "--at <time, such as 2026-11-22T20:00:00Z>";

const Options = z.object({ from: z.string(), to: z.string(), at: Timestamp });

async function run(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { from: text, to: text, at: text } });
  const options = Options.safeParse(values);
  if (!options.success || !process.env["ERASED_IDS_BUCKET"]) throw new RangeError(usage);
  const { from, to, at } = options.data;
  if (from === to)
    throw new RangeError("A restore makes a new table: --to must differ from --from.");
  const bucket = readVariable(process.env, "ERASED_IDS_BUCKET");
  const endpoint = readVariable(process.env, "DYNAMODB_ENDPOINT");
  const client = new DynamoDBClient(clientDefaults(endpoint));
  console.log(`1. Restoring ${from} as of ${at} into ${to}. This takes from minutes to hours.`);
  const restore = { from, to, at: new Date(at) };
  const table = await restoreTable(client, awsBackups(client), restore);
  console.log("2. Time to live, stream, point-in-time recovery and deletion protection are set.");
  const ids = await listObjects({ bucket });
  const erased = await replayErasures(openTable({ name: to, endpoint }), ids, new Date());
  console.log(
    `3. Erased ${erased} restored customers again. The list of erased customers has ${ids.length}.`,
  );
  console.log(`4. Deploy with the switches of this stage and -c table=${table}`);
  console.log(`5. Rebuild the read models: TABLE_NAME=${to} … npm run rebuild-index`);
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem);
    process.exitCode = 1;
  }
}
