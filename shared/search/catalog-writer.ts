import { createHash } from "node:crypto";
import type { Log } from "../runtime/log.ts";
import { catalogIndex, compacted } from "./catalog-index.ts";
import { loadCatalogAt, type Catalog } from "./load-catalog.ts";
import type {
  SupersededObjects,
  IndexPointer,
  IndexSource,
} from "../domain/listing/index-pointer.ts";
import { type IndexEntry, segmentOf } from "./segment.ts";
import {
  encodeBase,
  encodeOverlay,
  type Base,
  type IndexDocuments,
  type Overlay,
} from "./index-format.ts";

export type IndexChange =
  | { type: "upsert"; entry: IndexEntry }
  | { type: "remove"; id: string }
  | { type: "document"; name: string; value: unknown };

export interface IndexTarget extends IndexSource {
  /** The prefix of the keys of the index's objects. */
  readonly folder: string;
  readonly log: Pick<Log, "warn">;
  /** The time in ms since 1970. */
  now(): number;
  put(key: string, object: Uint8Array): Promise<void>;
  /** Deletes an object. Also succeeds if it does not exist. */
  remove(key: string): Promise<void>;
  superseded(): Promise<SupersededObjects | undefined>;
  /**
   * Stores the pointer and the list of superseded objects in one transaction, if the stored pointer has
   * `expectedVersion`, or if there is none and `expectedVersion` is undefined. Returns false otherwise.
   */
  advance(
    next: IndexPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}

/** The contents of a catalog index. */
export interface IndexContents {
  entries: Iterable<IndexEntry>;
  documents: IndexDocuments;
}

/**
 * Maximum number of changes in an overlay before the writer stores a new base. Every reader applies this many changes
 * in about 10 ms after each write. A new base of 50,000 cards costs the writer 1 s.
 */
export const maxOverlayChanges = 250;

const attempts = 5;
/**
 * How long superseded objects are kept. A reader may use a pointer that is seconds old, but no reader uses it after
 * this time.
 */
const supersededForMs = 2 * 60_000;
/**
 * Maximum length of the list of superseded objects, which must fit into one item even if deletions fail. Objects
 * beyond it stay in the bucket.
 */
const maxListed = 2_000;

/**
 * Applies changes to the catalog index and returns its pointer, or undefined if no index was ever written. Throws when
 * the index cannot be read or written, or when every attempt conflicts; throws UnreadableIndex when another release
 * wrote the index. Only `rebuildIndex` replaces the index of another release.
 *
 * @param changesOf returns the changes for the catalog that it receives; called again after a conflict
 */
export async function updateIndex(
  target: IndexTarget,
  changesOf: (catalog: Catalog) => Promise<readonly IndexChange[]>,
): Promise<IndexPointer | undefined> {
  return moveIndex(target, async (pointer, version) => {
    const { base, overlay: before, catalog } = await loadCatalogAt(pointer, target);
    const changes = await changesOf(catalog);
    if (changes.length === 0) return undefined;
    const overlay = withChanges(before, changes);
    const isFull = overlay.upserts.length + overlay.removals.length > maxOverlayChanges;
    if (pointer === undefined || isFull) return putBase(target, version, merged(base, overlay));
    const overlayKey = await putObject(target, `${version}-overlay`, encodeOverlay(overlay));
    return { base_key: pointer.base_key, overlay_key: overlayKey };
  });
}

/**
 * Rebuilds the whole catalog index, even if the stored index is of another release or cannot be read.
 *
 * @param contents the new contents; called again after a conflict
 */
export async function rebuildIndex(
  target: IndexTarget,
  contents: () => Promise<IndexContents>,
): Promise<void> {
  await moveIndex(target, async (_pointer, version) => {
    const { entries, documents } = await contents();
    return putBase(target, version, { segment: segmentOf(entries), documents });
  });
}

/** The overlay after further changes. Of several changes to one card the last one counts. */
export function withChanges(overlay: Overlay, changes: readonly IndexChange[]): Overlay {
  const upserts = new Map(overlay.upserts.map((entry) => [entry.card.id, entry]));
  const removals = new Set(overlay.removals);
  const documents = { ...overlay.documents };
  for (const change of changes) {
    if (change.type === "upsert") {
      removals.delete(change.entry.card.id);
      upserts.set(change.entry.card.id, change.entry);
    } else if (change.type === "remove") {
      upserts.delete(change.id);
      removals.add(change.id);
    } else documents[change.name] = change.value;
  }
  return { upserts: [...upserts.values()], removals: [...removals], documents };
}

function merged(base: Base, overlay: Overlay): Base {
  const index = catalogIndex(base.segment, segmentOf(overlay.upserts), overlay.removals);
  return { segment: compacted(index), documents: { ...base.documents, ...overlay.documents } };
}

type IndexObjects = Pick<IndexPointer, "base_key" | "overlay_key">;

/**
 * Stores objects and then moves the pointer to them. After a conflict it starts again from the pointer that the other
 * writer stored. If there is nothing to store, the pointer stays.
 */
export async function moveIndex(
  target: IndexTarget,
  store: (pointer: IndexPointer | undefined, version: number) => Promise<IndexObjects | undefined>,
): Promise<IndexPointer | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const pointer = await target.pointer();
    const version = (pointer?.version ?? 0) + 1;
    const objects = await store(pointer, version);
    if (objects === undefined) return pointer;
    const next = { version, ...objects };
    const listed = [...(await stillThere(target)), ...replacedBy(next, pointer, target.now())];
    const superseded = { objects: listed.slice(-maxListed) };
    if (await target.advance(next, superseded, pointer?.version)) return next;
  }
  throw new Error(`The catalog index pointer was moved by other writers ${attempts} times.`);
}

function replacedBy(
  next: IndexObjects,
  pointer: IndexPointer | undefined,
  at: number,
): SupersededObjects["objects"] {
  const keys = pointer === undefined ? [] : [pointer.base_key, pointer.overlay_key];
  return keys.flatMap((key) => (key === null || key === next.base_key ? [] : [{ key, at }]));
}

/**
 * Deletes superseded objects that no reader can be using any more, and returns the objects that still exist. A failed
 * deletion is retried at the next write.
 */
async function stillThere(target: IndexTarget): Promise<SupersededObjects["objects"]> {
  const { objects } = (await target.superseded()) ?? { objects: [] };
  const isPast = ({ at }: { at: number }) => target.now() - at > supersededForMs;
  const removed = await Promise.all(
    objects.map(async (object) => {
      if (!isPast(object)) return false;
      try {
        await target.remove(object.key);
        return true;
      } catch (cause) {
        target.log.warn("Superseded index object not deleted", { ...object, cause });
        return false;
      }
    }),
  );
  return objects.filter((_object, position) => !removed[position]);
}

async function putBase(target: IndexTarget, version: number, base: Base): Promise<IndexObjects> {
  const base_key = await putObject(target, `${version}-base`, encodeBase(base));
  return { base_key, overlay_key: null };
}

/**
 * The key contains version and content hash: concurrent writers never overwrite each other, and no key is used twice.
 */
async function putObject(target: IndexTarget, part: string, object: Uint8Array): Promise<string> {
  const digest = createHash("sha256").update(object).digest("hex");
  const key = `${target.folder}/${part}-${digest.slice(0, 32)}.gz`;
  await target.put(key, object);
  return key;
}
