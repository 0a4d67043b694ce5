import type * as z from "zod";
import { type Key, type Readable, recordOf } from "./entity.ts";

/** A record to fetch; created by `at`. */
export interface Read<Record = unknown> {
  /** The name of the record's entity. */
  readonly entity: string;
  readonly key: Key;
  /** The members to read; undefined for the whole record. */
  readonly members?: readonly string[];
  readonly toRecord: (item: { [name: string]: unknown }) => Record;
}

/** Names a record to fetch. */
export function at<Schema extends z.ZodObject, Id>(
  of: Readable<Schema, Id>,
  id: Id,
): Read<z.output<Schema>> {
  return {
    entity: of.name,
    key: of.key(id),
    toRecord: (item) => recordOf(of, item),
    ...("members" in of && { members: of.members }),
  };
}
