import { withPageUrls } from "./documents.ts";
import { catalogIndex, type CatalogIndex } from "./catalog-index.ts";
import type { IndexPointer, IndexSource } from "../domain/listing/index-pointer.ts";
import { emptySegment, segmentOf } from "./segment.ts";
import {
  decodeBase,
  decodeOverlay,
  emptyOverlay,
  type Base,
  type IndexDocuments,
  type Overlay,
} from "./index-format.ts";

/** The catalog at one version of its pointer. */
export interface Catalog {
  /** 0 before the first write. */
  version: number;
  index: CatalogIndex;
  documents: IndexDocuments;
}

/** A catalog with the stored parts that it was loaded from. */
export interface LoadedCatalog {
  pointer: IndexPointer | undefined;
  base: Base;
  overlay: Overlay;
  catalog: Catalog;
}

interface LoadOptions {
  readonly before?: LoadedCatalog | undefined;
  /** Public URL of the media library, for readers that send cards. Without it, media addresses stay as stored. */
  readonly mediaBaseUrl?: string | undefined;
}

const emptyBase: Base = { segment: emptySegment, documents: {} };

/**
 * Loads the stored catalog; it is empty before the first write. Throws when it cannot be read, and UnreadableIndex
 * when another release wrote it.
 */
export async function loadCatalog(source: IndexSource): Promise<LoadedCatalog> {
  return loadCatalogAt(await source.pointer(), source);
}

/**
 * Loads the catalog to which a pointer refers.
 *
 * @param options.before the catalog loaded last, with the same URLs; unchanged parts are not read again
 */
export async function loadCatalogAt(
  pointer: IndexPointer | undefined,
  { object }: Pick<IndexSource, "object">,
  { before, mediaBaseUrl }: LoadOptions = {},
): Promise<LoadedCatalog> {
  if (before !== undefined && before.pointer?.version === pointer?.version) return before;
  if (pointer === undefined) return laid(pointer, emptyBase, emptyOverlay);
  const sameBase = before?.pointer?.base_key === pointer.base_key;
  const [base, overlay] = await Promise.all([
    sameBase
      ? before.base
      : object(pointer.base_key).then((bytes) => decodeBase(bytes, mediaBaseUrl)),
    pointer.overlay_key === null
      ? emptyOverlay
      : object(pointer.overlay_key).then((bytes) => decodeOverlay(bytes, mediaBaseUrl)),
  ]);
  return laid(pointer, base, overlay, mediaBaseUrl);
}

function laid(
  pointer: IndexPointer | undefined,
  base: Base,
  overlay: Overlay,
  mediaBaseUrl?: string,
): LoadedCatalog {
  const documents = { ...base.documents, ...overlay.documents };
  const catalog = {
    version: pointer?.version ?? 0,
    index: catalogIndex(base.segment, segmentOf(overlay.upserts), overlay.removals),
    documents: mediaBaseUrl === undefined ? documents : withPageUrls(documents, mediaBaseUrl),
  };
  return { pointer, base, overlay, catalog };
}
