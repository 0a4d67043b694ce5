import { type MediaItem, mediaItemsIn } from "#shared/domain/upload/media-item.ts";
import { placeOf } from "#shared/domain/upload/media-type.ts";
import type { ProductMedia } from "#shared/domain/upload/media.ts";
import type { Problem } from "#shared/domain/base/names.ts";
import type { Sellable } from "#shared/domain/catalog/product.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { MediaItems } from "#shared/storage/upload/media.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

type Attached = Pick<Sellable, "media" | "assembly">;

/**
 * Checks newly attached media against the media library: pictures, videos and models by id, the manual by URL. Media
 * that was attached before is not checked.
 *
 * @param before undefined for a new record
 * @throws AppError `validation_failed` on the path of media that does not exist, is not ready, or has another type
 */
export async function checkMedia(
  before: Attached | undefined,
  { media, assembly }: Attached,
  table: Pick<Table, "getMany">,
): Promise<void> {
  const known = new Set(before?.media.map(nameOf));
  const added = [...media.entries()].filter(([, item]) => !known.has(nameOf(item)));
  const manual = assembly.manual_url === before?.assembly.manual_url ? null : assembly.manual_url;
  const [manualId] = mediaItemsIn(manual);
  const ids = new Set(added.map(([, { id }]) => id));
  if (manualId !== undefined) ids.add(manualId);
  const { items } = await table.getMany({ items: [...ids].map((id) => at(MediaItems, { id })) });
  const ready = new Map(
    items.flatMap((item) =>
      item?.status === "ready" && item.deleted_at === null ? [[item.id, item] as const] : [],
    ),
  );

  const problems: Problem[] = added.flatMap(([position, attached]) => {
    const fault = faultOf(attached, ready.get(attached.id));
    return fault ? [{ path: `media.${position}.${fault[0]}`, message: fault[1] }] : [];
  });
  if (manual !== null && ready.get(manualId ?? "")?.content_type !== "application/pdf") {
    const message = "The manual must be the URL of a PDF in the media library.";
    problems.push({ path: "assembly.manual_url", message });
  }
  if (problems.length > 0) throw invalidFields(problems);
}

const nameOf = ({ id, url, type }: ProductMedia) => `${id} ${type} ${url}`;

function faultOf(
  { type, url }: ProductMedia,
  item: MediaItem | undefined,
): readonly [member: string, message: string] | undefined {
  if (!item) return ["id", "The selected media item does not exist or is not ready."];
  const own = [item.url, ...item.variants.map((variant) => variant.url)];
  if (!own.includes(url)) return ["url", "The url field must be a URL of the media item."];
  const place = placeOf(item.content_type);
  if (place === type) return undefined;
  return ["type", `The media item is of type ${item.content_type}, not ${type}.`];
}
