import type { IndexTarget } from "#shared/search/catalog-writer.ts";
import { openIndexReader } from "#shared/search/index-reader.ts";
import type {
  IndexSource,
  SupersededObjects,
  IndexPointer,
  IndexRebuild,
  IndexRebuildStore,
} from "#shared/domain/listing/index-pointer.ts";

/** Objects and pointer in memory, with counters of reads and the logged messages. */
export function memoryTarget() {
  const objects = new Map<string, Uint8Array>();
  const reads = { pointer: 0, superseded: 0, objects: [] as string[] };
  const logged: string[] = [];
  const note = (message: string) => void logged.push(message);
  let stored: IndexPointer | undefined;
  let listed: SupersededObjects | undefined;
  const clock = { now: 0 };
  const target: IndexTarget & { log: { warn: typeof note; error: typeof note } } = {
    folder: "view",
    log: { warn: note, error: note },
    async pointer() {
      reads.pointer += 1;
      return stored;
    },
    async superseded() {
      reads.superseded += 1;
      return listed;
    },
    async object(key) {
      reads.objects.push(key);
      const object = objects.get(key);
      if (object === undefined) throw new Error(`No object ${key}`);
      return object;
    },
    now: () => clock.now,
    async remove(key) {
      objects.delete(key);
    },
    async put(key, object) {
      objects.set(key, object);
    },
    async advance(next, superseded, expectedVersion) {
      if (stored?.version !== expectedVersion) return false;
      if (!objects.has(next.base_key)) throw new Error("The pointer is ahead of its objects.");
      stored = next;
      listed = superseded;
      return true;
    },
  };
  let rebuild: IndexRebuild | undefined;
  const isAt = (expected: IndexRebuild | undefined) =>
    rebuild?.id === expected?.id && rebuild?.version === expected?.version;
  const rebuilds: IndexRebuildStore = {
    current: async () => rebuild,
    isCurrentFormat: async () => true,
    isRebuilt: async () => true,
    keep: async () => undefined,
    rebuildRequested: async () => undefined,
    async replace(next, before) {
      if (!isAt(before)) return false;
      rebuild = next;
      return true;
    },
    async adopt(next, superseded, expectedVersion, made) {
      if (!isAt(made) || !(await target.advance(next, superseded, expectedVersion))) return false;
      rebuild = undefined;
      return true;
    },
  };
  return { target, rebuilds, reads, objects, clock, logged };
}

type ReaderOptions = Omit<Parameters<typeof openIndexReader>[0], "state"> & IndexSource;

/** A reader of the index to which the target's pointer refers. */
export const readerOf = ({ pointer, ...options }: ReaderOptions) =>
  openIndexReader({ ...options, state: async () => ({ pointer: await pointer() }) });
