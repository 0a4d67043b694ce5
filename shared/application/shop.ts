import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { HttpHandler } from "@smithy/core/protocols";
import type { Identity } from "#shared/auth/identity.ts";
import type { NestedRateCounters } from "#shared/domain/request/rate-limits.ts";
import type { IndexSource } from "#shared/domain/listing/index-pointer.ts";
import type { SettingsGroup } from "#shared/domain/settings/settings.ts";
import type { CopyObject } from "#shared/files/copy-object.ts";
import type { FileKeeper } from "#shared/files/file-keeper.ts";
import type { GrowingObjects } from "#shared/files/growing-object.ts";
import type { ReadObject } from "#shared/files/object-reader.ts";
import type { ObjectStore } from "#shared/files/object-store.ts";
import type { LinkTo } from "#shared/files/signed-link.ts";
import type { Uploads } from "#shared/files/uploads.ts";
import type { Mailer } from "#shared/mail/mailer.ts";
import type { FetchFile } from "#shared/messaging/whatsapp-files.ts";
import type { WhatsApp, WhatsAppAccount } from "#shared/messaging/whatsapp.ts";
import type { FifoQueue, Queue } from "#shared/queues/queue.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Pause } from "#shared/runtime/pause.ts";
import type { PublicMemory } from "#shared/runtime/public-memory.ts";
import type { IndexReader } from "#shared/search/index-reader.ts";
import type { RecentReads } from "#shared/storage/recent-reads.ts";
import type { SecretStore } from "#shared/storage/settings/secrets.ts";
import type { SettingsStore } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import type { LastLines } from "./cart/open-to-change.ts";
import type { DocumentLinks } from "./document/document-links.ts";
import type { IndexDeps } from "./listing/index-work.ts";
import type { SoldItems } from "./metrics/sold-items.ts";
import type { Gateways } from "./payment/open-gateway.ts";

/** Everything that functions work with. The manifest names the parts of each function. */
export interface Parts {
  log: Log;
  now(): Date;
  /** Milliseconds, for the age of what memory keeps. */
  elapsed(): number;
  pause: Pause;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  /** Sends the requests to S3, SQS and SES. Functions leave it out: then Node's HTTP client does. */
  requestHandler: HttpHandler;

  table: Table;
  rates: NestedRateCounters;
  /** The groups of the settings that the function reads, at most two seconds old. */
  settings: SettingsStore;
  /** The settings from which the heads of pages are made. */
  headSettings: SettingsStore<"store" | "seo">;
  searchSettings: SettingsStore<"search">;
  messagingSettings: SettingsStore<"messaging">;
  /** The secrets of the settings, which the table stores encrypted. */
  secrets: SecretStore;

  customerIdentity: Identity;
  staffIdentity: Identity;
  /** Signing keys of customers' tokens. */
  customerKeys: KeySource;
  /** Signing keys of staff tokens. */
  staffKeys: KeySource;
  /** Keys that sign the links of orders and quotes. */
  linkKeys: KeySource;
  /** Keys that encrypt the secrets of settings and second factors. */
  settingsKeys: KeySource;

  /** Names of the secrets that hold the signing keys of tokens; empty if the environment holds the keys. */
  tokenSecrets: readonly string[];
  secretsManager: SecretsManagerClient;

  gateways: Gateways;
  mailer: Mailer;
  whatsApp: WhatsApp;
  /** The shop's WhatsApp account; undefined while WhatsApp is off or not set up. */
  whatsAppAccount(): Promise<WhatsAppAccount | undefined>;
  fetchWhatsAppFile: FetchFile;

  /** Signs upload forms of the quarantine bucket. */
  uploads: Uploads;
  quarantineFiles: ObjectStore;
  publishedFiles: ObjectStore;
  /** Copies files from the quarantine bucket to the published ones. */
  fileKeeper: FileKeeper;
  publicFile: ReadObject;
  /** The media bucket, with time for large uploads. */
  publicFiles: ObjectStore;
  documentFiles: ObjectStore;
  documentLinks: DocumentLinks;
  exportFiles: GrowingObjects;
  linkToExport: LinkTo;
  inboxFiles: ObjectStore;
  copyInboxFile: CopyObject;
  linkToInboxFile: LinkTo;
  /** The ledger of erased customers outside the table. */
  erasedIdLedger: ObjectStore;
  failedChangeFiles: ObjectStore;

  catalogIndexQueue: FifoQueue;
  staffIndexQueue: FifoQueue;
  mediaUsesQueue: FifoQueue;
  whatsAppQueue: FifoQueue;
  documentsQueue: Queue;
  erasedIdsQueue: Queue;
  exportsQueue: Queue;
  inboxFilesQueue: Queue;
  marketingQueue: Queue;
  mediaQueue: Queue;
  metricsQueue: Queue;
  orderNamesQueue: Queue;
  outboxQueue: Queue;

  indexReader: IndexReader;
  /** Reads the staff index: all products, sofas, materials and SKUs, drafts included. */
  staffIndexReader: IndexReader;
  staffIndexSource: IndexSource;
  catalogIndexWriter: IndexDeps;
  staffIndexWriter: IndexDeps;

  /** Public answers, kept while nothing public changes. */
  memory: PublicMemory;
  /** Reads the catalog records of a cart's lines. Some may be up to two seconds old. */
  catalogReads: RecentReads;
  lastLines: LastLines;
  soldItems: SoldItems;

  appName: string;
  /** The public URL of the media library. In functions that answer requests, the frame puts it into answers. */
  mediaBaseUrl: string;
  /**
   * The public URL of the media library, for functions whose answers keep `media://` as it is: a message's text may
   * contain it.
   */
  publicFilesUrl: string;
  /** The address of the API as callers use it; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
  /** The sender of all mail. While it is undefined, mail waits in the outbox. */
  mailFrom: string | undefined;
  /** Whether the documentation is public. */
  isDocsOpen: boolean;
}

export type PartName = keyof Parts;

/**
 * The parts of a function that a use case or a route takes, such as `Shop<"table" | "settings", "store">`.
 *
 * `Group` names the groups of `settings`.
 */
export type Shop<Name extends PartName, Group extends SettingsGroup = never> = Pick<
  Parts,
  Exclude<Name, "settings">
> &
  ("settings" extends Name ? { readonly settings: SettingsStore<Group> } : unknown);

/** Parts that an opener uses if the function has them. */
export type IfOpened<Name extends PartName> = Readonly<Record<string, unknown>> & {
  readonly [Part in Name]?: Parts[Part] | undefined;
};

/** Builds a part from the environment and from other parts, of which it may read any. */
export type Opener<Part, Needs = unknown> = (environment: NodeJS.ProcessEnv, shop: Needs) => Part;

type Opened<Openers> = {
  readonly [Name in keyof Openers]: Openers[Name] extends Opener<infer Part, never> ? Part : never;
};

/**
 * Opens the parts of a function, each once. All variables are read now; connections are made by the first calls.
 *
 * @throws ZodError that names a variable which is missing or invalid
 */
export function openShop<
  Openers extends { readonly [Name in keyof Openers]: Opener<unknown, Opened<Openers>> },
>(environment: NodeJS.ProcessEnv, openers: Openers): Opened<Openers> {
  const shop = {} as Opened<Openers>;
  const names = Object.keys(openers) as (keyof Openers)[];
  for (const name of names) {
    // A part that needs another one opens it by reading it, so the order of the names does not matter.
    Object.defineProperty(shop, name, {
      configurable: true,
      enumerable: true,
      get() {
        const part = openers[name](environment, shop);
        Object.defineProperty(shop, name, { value: part, enumerable: true });
        return part;
      },
    });
  }
  for (const name of names) void shop[name];
  return shop;
}
