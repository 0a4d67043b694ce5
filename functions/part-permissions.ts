import type {
  BucketAccess,
  DeployedFunction,
  ManifestPart,
  Permissions,
} from "./deployed-function.ts";
import type { QueueName } from "./queues.ts";

type Use = (permissions: Permissions, ownQueue: QueueName | undefined) => boolean;

const opens =
  (bucket: keyof BucketAccess, ...access: readonly string[]): Use =>
  ({ buckets = {} }) =>
    access.includes(buckets[bucket] ?? "");
const sends =
  (queue: QueueName): Use =>
  ({ queues = [] }, ownQueue) =>
    // A function's event source permits it to delay the messages of its own queue.
    queue === ownQueue || queues.some((name) => name === queue);
const holds =
  (secret: NonNullable<Permissions["secrets"]>[number]): Use =>
  ({ secrets = [] }) =>
    secrets.includes(secret);
const rotates: Use = ({ rotates = [] }) => rotates.length > 0;
const all =
  (...uses: readonly Use[]): Use =>
  (...facts) =>
    uses.every((use) => use(...facts));

/** The permissions without which a part cannot work. Parts that are left out call nothing, or only other parts. */
const uses: { readonly [Part in ManifestPart]?: Use } = {
  table: ({ reads = [], writes = [] }) => reads.length + writes.length > 0,
  customerKeys: holds("customer"),
  staffKeys: holds("staff"),
  linkKeys: holds("links"),
  settingsKeys: holds("settings"),
  tokenSecrets: rotates,
  secretsManager: rotates,
  mailer: ({ mails = false }) => mails,
  uploads: opens("quarantine", "fill"),
  quarantineFiles: opens("quarantine", "empty"),
  publishedFiles: opens("media", "write"),
  publicFiles: opens("media", "write"),
  publicFile: opens("media", "read"),
  fileKeeper: all(opens("quarantine", "empty"), opens("media", "write")),
  documentFiles: opens("documents", "read", "write"),
  documentLinks: opens("documents", "read"),
  exportFiles: opens("exports", "write"),
  linkToExport: opens("exports", "read"),
  inboxFiles: opens("inboxFiles", "write", "move"),
  copyInboxFile: opens("inboxFiles", "move"),
  linkToInboxFile: opens("inboxFiles", "read"),
  erasedIdLedger: opens("erasedIds", "write"),
  failedChangeFiles: opens("failedChanges", "write"),
  indexReader: opens("index", "read"),
  staffIndexReader: opens("index", "read"),
  staffIndexSource: opens("index", "read"),
  catalogIndexWriter: all(opens("index", "write"), sends("catalog-index")),
  staffIndexWriter: all(opens("index", "write"), sends("staff-index")),
  catalogIndexQueue: sends("catalog-index"),
  staffIndexQueue: sends("staff-index"),
  mediaUsesQueue: sends("media-uses"),
  whatsAppQueue: sends("whatsapp"),
  documentsQueue: sends("documents"),
  erasedIdsQueue: sends("erased-ids"),
  exportsQueue: sends("exports"),
  inboxFilesQueue: sends("inbox-files"),
  marketingQueue: sends("marketing"),
  mediaQueue: sends("media"),
  metricsQueue: sends("metrics"),
  orderNamesQueue: sends("order-names"),
  outboxQueue: sends("outbox"),
};

/** The parts of a function that its permissions do not let it use. */
export function partsWithoutPermission({
  parts,
  permissions,
  source,
}: Pick<DeployedFunction, "parts" | "permissions"> & {
  readonly source?: { readonly kind: string; readonly queue?: QueueName };
}): readonly ManifestPart[] {
  return parts.filter((part) => uses[part]?.(permissions, source?.queue) === false);
}
