import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { openKeys } from "#shared/auth/key-rings.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { clientDefaults, isLoopback } from "#shared/runtime/aws-client.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { changeSecrets, openSecrets } from "#shared/storage/secrets.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { plantDemoData } from "./demo/plant.ts";
import { standInKeys } from "./stripe/keys.ts";
import type { StackEnvironment } from "./stack.ts";

/** Plants the demo shop where there is nothing yet, and only on this machine. */
export async function seedIfEmpty(environment: StackEnvironment): Promise<void> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName } = environment;
  if (isLoopback(endpoint) && (await isEmpty(endpoint, tableName))) {
    const media = openObjectStore({
      bucket: environment.MEDIA_BUCKET,
      endpoint: environment.S3_ENDPOINT,
    });
    const table = openTable({ name: tableName, endpoint });
    await plantDemoData({ table, putMedia: media.put, now: new Date() });
    await plantStripeKeys(table, environment.SETTINGS_KEYS);
  }
}

/** The keys of the stand-in for Stripe, as staff would enter them. */
async function plantStripeKeys(table: Table, settingsKeys: string): Promise<void> {
  const keys = openKeys({ keys: settingsKeys, secret: undefined });
  const payments = await openSecrets({ table, keys, log: plainLog }).read("payments");
  const change = changeSecrets(payments, {
    "gateway.secret_key": standInKeys.secretKey,
    "gateway.webhook_secret": standInKeys.webhookSecret,
  });
  if (change) await table.write(change);
}

async function isEmpty(endpoint: string, TableName: string): Promise<boolean> {
  const client = new DynamoDBClient(clientDefaults(endpoint));
  try {
    const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
    return Count === 0;
  } finally {
    client.destroy();
  }
}
