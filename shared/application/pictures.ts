import type { Problem } from "../domain/base/names.ts";
import { invalidFields } from "../domain/request/app-error.ts";
import { type MediaItem, mediaItemsIn } from "../domain/upload/media-item.ts";
import { at } from "../storage/reads.ts";
import type { Table } from "../storage/table.ts";
import { MediaItems } from "../storage/upload/media.ts";

/** A reference to a picture of the media library: its address, and its path in the record. */
interface PictureReference {
  readonly kind: "picture";
  readonly id: string;
  readonly path: string;
}

/** The references of a document to pictures of the media library, each at the path of the picture's address. */
export function pictureReferences(content: unknown, path = ""): PictureReference[] {
  if (
    typeof content === "string" &&
    content.startsWith("media://") &&
    mediaItemsIn(content).size > 0
  )
    return [{ kind: "picture", id: content, path }];
  if (typeof content !== "object" || content === null) return [];
  return Object.entries(content).flatMap(([name, value]) =>
    pictureReferences(value, path === "" ? name : `${path}.${name}`),
  );
}

/** The message for a reference to a missing picture. */
export const pictureMissing = "The picture is not in the media library, or is not ready.";

/**
 * Requires that a record's new pictures are in the media library. The transaction has no condition on them, so a picture that
 * is deleted at the same moment stays referenced. Its files are kept for 30 days.
 *
 * @throws AppError `validation_failed` with the path of every missing picture
 */
export async function requirePictures(
  table: Pick<Table, "getMany">,
  before: object | undefined,
  after: object,
): Promise<void> {
  const known = new Set(pictureReferences(before).map(({ id }) => id));
  const added = pictureReferences(after).filter(({ id }) => !known.has(id));
  const ids = [...new Set(added.flatMap(({ id }) => [...mediaItemsIn(id)]))];
  if (ids.length === 0) return;
  const { items } = await table.getMany({ items: ids.map((id) => at(MediaItems, { id })) });
  const problems = added.flatMap(({ id: address, path }): Problem[] =>
    items.some((item) => item && shows(item, address)) ? [] : [{ path, message: pictureMissing }],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

/** Whether a media item is ready and has a file with this address. */
export const shows = ({ status, deleted_at, url, variants }: MediaItem, address: string): boolean =>
  status === "ready" &&
  deleted_at === null &&
  (url === address || variants.some((variant) => variant.url === address));
