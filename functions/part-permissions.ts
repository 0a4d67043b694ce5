import type {
  BucketAccess,
  DeployedFunction,
  ManifestPart,
  Permissions,
} from "./deployed-function.ts";
import type { QueueName } from "./queues.ts";

type Use = (permissions: Permissions, ownQueue: QueueName | undefined) => boolean;

const reads =
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
  uploads: reads("quarantine", "fill"),
  quarantineFiles: reads("quarantine", "empty"),
  publishedFiles: reads("media", "write"),
  publicFiles: reads("media", "write"),
  publicFile: reads("media", "read"),
  fileKeeper: all(reads("quarantine", "empty"), reads("media", "write")),
  documentFiles: reads("documents", "read", "write"),
  documentLinks: reads("documents", "read"),
  exportFiles: reads("exports", "write"),
  linkToExport: reads("exports", "read"),
  inboxFiles: reads("inboxFiles", "write", "move"),
  copyInboxFile: reads("inboxFiles", "move"),
  linkToInboxFile: reads("inboxFiles", "read"),
  erasedIdLedger: reads("erasedIds", "write"),
  failedChangeFiles: reads("failedChanges", "write"),
  indexReader: reads("index", "read"),
  staffIndexReader: reads("index", "read"),
  staffIndexSource: reads("index", "read"),
  catalogIndexWriter: all(reads("index", "write"), sends("catalog-index")),
  staffIndexWriter: all(reads("index", "write"), sends("staff-index")),
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
  ...rest
}: Pick<DeployedFunction, "parts" | "permissions"> & {
  readonly source?: { readonly kind: string; readonly queue?: QueueName };
}): readonly ManifestPart[] {
  return parts.filter((part) => uses[part]?.(permissions, rest.source?.queue) === false);
}
