import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { isLoopback } from "#shared/runtime/aws-client.ts";
import { openFifoQueue } from "#shared/queues/queue.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { changeSecrets, openSecrets } from "#shared/storage/settings/secrets.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { plantDemoData } from "#infra/local/demo/plant.ts";
import { patience, patientClient } from "#infra/local/emulators/patient-client.ts";
import { objectWriter } from "#infra/local/emulators/put-object.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { localWhatsApp } from "#infra/local/whatsapp/whatsapp-keys.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";

/**
 * Writes the demo shop to an empty table, and requests a rebuild of the indexes: those of another start may have been
 * written by other sources. Does nothing if the table is not on this machine.
 */
export async function seedIfEmpty(environment: StackEnvironment): Promise<void> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName } = environment;
  if (!isLoopback(endpoint)) return;
  if (await isEmpty(endpoint, tableName)) await seed(environment);
  const { CATALOG_INDEX_QUEUE_URL, STAFF_INDEX_QUEUE_URL, SQS_ENDPOINT } = environment;
  const body = { changes: [{ kind: "rebuild" }] };
  for (const url of [CATALOG_INDEX_QUEUE_URL, STAFF_INDEX_QUEUE_URL]) {
    const queue = openFifoQueue({ url, endpoint: SQS_ENDPOINT });
    await queue.send([{ body, group: "view", dedupe: randomUUID() }]);
  }
}

async function seed(environment: StackEnvironment): Promise<void> {
  const { DYNAMODB_ENDPOINT, TABLE_NAME: name, MEDIA_BUCKET: bucket, S3_ENDPOINT } = environment;
  const media = objectWriter({ bucket, endpoint: S3_ENDPOINT });
  const table = openTable({ name, endpoint: DYNAMODB_ENDPOINT, requestTimeout: patience });
  await plantDemoData({ table, putMedia: media.put, now: new Date() });
  media.close();
  await plantKeys(table, environment.SETTINGS_KEYS);
}

/** Saves the keys of the Stripe and WhatsApp emulators, as staff would. */
async function plantKeys(table: Table, settingsKeys: string): Promise<void> {
  const keys = openKeys({ keys: settingsKeys, secret: undefined });
  const secrets = openSecrets({ table, keys, log: plainLog });
  const { access_token, app_secret, verify_token } = localWhatsApp;
  const changes = [
    changeSecrets(await secrets.read("payments"), {
      "gateway.secret_key": emulatorKeys.secretKey,
      "gateway.webhook_secret": emulatorKeys.webhookSecret,
    }),
    changeSecrets(await secrets.read("messaging"), {
      "whatsapp.access_token": access_token,
      "whatsapp.app_secret": app_secret,
      "whatsapp.verify_token": verify_token,
    }),
  ];
  await table.transact(changes.filter((change) => change !== undefined));
}

async function isEmpty(endpoint: string, TableName: string): Promise<boolean> {
  const client = patientClient(endpoint);
  try {
    const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
    return Count === 0;
  } finally {
    client.destroy();
  }
}
