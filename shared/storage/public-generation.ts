import * as z from "zod";
import { entity } from "./entity.ts";
import { type Write, update } from "./writes.ts";

/**
 * Counts the transactions that changed public data. Functions keep public answers in memory while this row and the
 * pointer of the catalog index are unchanged.
 */
export const PublicGeneration = entity({
  name: "public_generation",
  notExported: "derived",
  schema: z.object({ generation: z.int().min(1) }),
  key: () => ({ pk: "PUBLIC", sk: "GENERATION" }),
});

/**
 * The write that raises the public generation. The table adds it to each transaction that writes an entity with
 * `isPublic`.
 */
export const raiseGeneration: Write = update(
  PublicGeneration,
  {},
  { add: { generation: 1 }, set: { entity: PublicGeneration.name } },
);

/** Adds the write that raises the public generation to a transaction if any of its writes changes public data. */
export const withGeneration = <Item>(
  items: readonly Item[],
  writeOf: (item: Item) => Write,
): (Item | Write)[] => {
  const isChange = ({ kind, entity }: Write) => kind !== "check" && entity.isPublic === true;
  return items.some((item) => isChange(writeOf(item))) ? [...items, raiseGeneration] : [...items];
};
