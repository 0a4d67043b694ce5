import { expect } from "vitest";
import type { CatalogChange, CatalogChanges } from "#functions/on-change/catalog-change.ts";
import { consume } from "#functions/on-change/catalog-view/consume.ts";
import type { Deps } from "#functions/on-change/catalog-view/deps.ts";
import { loadCatalog } from "#shared/catalog-view/load-catalog.ts";
import { openPublishedCatalog } from "#shared/storage/published-catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import { aMessage } from "#test/support/sqs-event.ts";
import { memoryTarget } from "#test/unit/catalog-view/memory-target.ts";

/** A writer of a view of its own. */
export function aWriter(table: Table, portionSize = 500) {
  const stored = memoryTarget();
  const log = { info: () => undefined, ...stored.target.log };
  /** What it has sent to itself, by deduplication id. */
  const sent = new Map<string, CatalogChange[]>();
  const queue: Deps["queue"] = {
    async send(message, { group, dedupe }) {
      expect(group).toBe("view");
      sent.set(dedupe, (message as CatalogChanges).changes);
    },
  };
  const { target, rebuilds } = stored;
  const published = openPublishedCatalog(table);
  const deps: Deps = { published, target, rebuilds, queue, portionSize, log };
  /** @returns which of the messages come again */
  async function tell(messages: CatalogChange[][], over: Partial<Deps> = {}): Promise<number[]> {
    const Records = messages.map((changes) => aMessage({ changes }));
    const { batchItemFailures } = await consume({ Records }, { ...deps, ...over });
    return batchItemFailures.map(({ itemIdentifier }) =>
      Records.findIndex(({ messageId }) => messageId === itemIdentifier),
    );
  }
  /** Works on the next of its own messages. @returns false: there was none */
  async function goOn(over: Partial<Deps> = {}): Promise<boolean> {
    for (const [key, changes] of sent) {
      if ((await tell([changes], over)).length === 0) sent.delete(key);
      return true;
    }
    return false;
  }
  /** Works until there are no more. @returns how many there were */
  async function settle(over: Partial<Deps> = {}): Promise<number> {
    let portions = 0;
    while (await goOn(over)) portions += 1;
    return portions;
  }
  const catalog = async () => (await loadCatalog(target)).catalog;
  return { ...stored, deps, sent, tell, goOn, settle, catalog };
}

export const productOf = ({ product }: { product: { slug: string } }): CatalogChange => ({
  kind: "product",
  slug: product.slug,
});
export const materialOf = ({ material }: { material: { code: string } }): CatalogChange => ({
  kind: "material",
  code: material.code,
});
