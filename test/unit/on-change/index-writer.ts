import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { expect } from "vitest";
import type { CatalogChange } from "#shared/queues/queue-messages.ts";
import type { StaffChange } from "#shared/queues/queue-messages.ts";
import { onChangeCatalogIndex, onChangeStaffIndex } from "#functions/on-change/indexes.ts";
import type { IndexDeps } from "#shared/application/listing/index-work.ts";
import { loadCatalog } from "#shared/search/load-catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { memoryTarget } from "#test/unit/catalog-index/memory-target.ts";

type Stored = Pick<IndexDeps, "target" | "rebuilds">;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A writer of a separate index of published records. */
export function aWriter(table: Table, portionSize = 500) {
  const stored = memoryTarget();
  return { ...stored, ...aWriterOf(table, stored, portionSize, stored.target.log) };
}

/** Like `aWriter`, but with an index that the caller stores. */
export function aWriterOf(
  table: Table,
  { target, rebuilds }: Stored,
  portionSize = 500,
  log: IndexDeps["log"] = silent,
) {
  const own = { table, target, rebuilds, portionSize, log: { ...silent, ...log } };
  return worked<CatalogChange>(
    (event, { table, ...catalogIndexWriter }) =>
      onChangeCatalogIndex(event, { table, log: silent, catalogIndexWriter }),
    own,
  );
}

/** A writer of a separate staff index. */
export function aStaffWriter(table: Table, portionSize = 500) {
  const stored = memoryTarget();
  const { target, rebuilds } = stored;
  const log = { ...silent, ...target.log };
  return {
    ...stored,
    ...worked<StaffChange>(
      (event, { table, ...staffIndexWriter }) =>
        onChangeStaffIndex(event, { table, log: silent, staffIndexWriter }),
      { table, target, rebuilds, portionSize, log },
    ),
  };
}

/** What a writer works with: its index, and the table of its records. */
type WriterParts = IndexDeps & { readonly table: Table };

function worked<Change>(
  work: (event: SQSEvent, deps: WriterParts) => Promise<SQSBatchResponse>,
  own: Omit<WriterParts, "queue">,
) {
  /** Messages that the writer sent to its own queue, by deduplication id. */
  const sent = new Map<string, Change[]>();
  const queue: IndexDeps["queue"] = {
    async send(messages) {
      for (const { body, group, dedupe } of messages) {
        expect(group).toBe("view");
        sent.set(dedupe, (body as { changes: Change[] }).changes);
      }
    },
  };
  const deps: WriterParts = { ...own, queue };
  /** @returns the positions of the messages that must be retried */
  async function deliver(messages: Change[][], over: Partial<WriterParts> = {}): Promise<number[]> {
    const Records = messages.map((changes) => aMessage({ changes }));
    const { batchItemFailures } = await work({ Records }, { ...deps, ...over });
    return batchItemFailures.map(({ itemIdentifier }) =>
      Records.findIndex(({ messageId }) => messageId === itemIdentifier),
    );
  }
  /**
   * Processes the next message that the writer sent to itself.
   *
   * @returns false if there is none
   */
  async function continueRebuild(over: Partial<WriterParts> = {}): Promise<boolean> {
    for (const [key, changes] of sent) {
      if ((await deliver([changes], over)).length === 0) sent.delete(key);
      return true;
    }
    return false;
  }
  /**
   * Processes the messages that the writer sent to itself until none are left.
   *
   * @returns their number
   */
  async function settle(over: Partial<WriterParts> = {}): Promise<number> {
    let portions = 0;
    while (await continueRebuild(over)) portions += 1;
    return portions;
  }
  /** Delivers every message twice concurrently, including those that the writer sends to itself. */
  async function settleTwice(changes: Change[]): Promise<void> {
    await Promise.all([deliver([changes]), deliver([changes])]);
    await Promise.all([settle(), settle()]);
    await settle();
  }
  const catalog = async () => (await loadCatalog(deps.target)).catalog;
  return { deps, sent, deliver, continueRebuild, settle, settleTwice, catalog };
}

export const productOf = ({ product }: { product: { slug: string } }): CatalogChange => ({
  kind: "product",
  slug: product.slug,
});
export const materialOf = ({ material }: { material: { code: string } }): CatalogChange => ({
  kind: "material",
  code: material.code,
});
