import { type IndexPointer, indexFormat } from "../domain/listing/index-pointer.ts";
import { IndexPointers } from "./catalog/index-pointer.ts";
import { PublicGeneration } from "./public-generation.ts";
import { at } from "./reads.ts";
import type { Table } from "./table.ts";

/** Two rows that are unchanged as long as no public data changes. */
export interface PublicState {
  /** 0 before the first change. */
  readonly generation: number;
  /** The pointer of this release's catalog index; undefined before the index was first written. */
  readonly pointer: IndexPointer | undefined;
}

/** Reads both rows in one request. */
export async function readPublicState(table: Table): Promise<PublicState> {
  const { generations, pointers } = await table.getMany({
    generations: [at(PublicGeneration, {})],
    pointers: [at(IndexPointers, { index: "catalog", format: indexFormat })],
  });
  return { generation: generations[0]?.generation ?? 0, pointer: pointers[0] };
}
