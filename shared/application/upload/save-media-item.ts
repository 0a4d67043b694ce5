import type { Shop } from "#shared/application/shop.ts";
import { type ExpectedVersion, AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { type CreatingCall, once } from "#shared/application/once.ts";
import { change, edit } from "#shared/application/edit.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type MediaItem,
  type MediaItemPatch,
  type NewMediaItem,
  changedMediaItem,
  deletedMediaItem,
  newMediaItem,
} from "#shared/domain/upload/media-item.ts";
import type { Uploads } from "#shared/files/uploads.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import {
  type MediaLibrary,
  addMediaItem,
  openMediaLibrary,
  replaceMediaItem,
} from "#shared/storage/upload/media.ts";

type MediaShop = Shop<"table" | "now">;

/** A media item with the records that show it. */
type UsedItem = NonNullable<Awaited<ReturnType<MediaLibrary["find"]>>>;

const targetOf = ({ id, filename }: MediaItem) => ({ kind: "media", id, label: filename });

/**
 * Adds a file to the media library, once per idempotency key.
 *
 * @returns the item, the form that uploads its file, and the headers of the answer
 */
export async function uploadMediaItem(
  call: CreatingCall &
    AuditedCall & {
      readonly body: NewMediaItem;
      readonly file: Parameters<Uploads["send"]>[1] | undefined;
    },
  { table, now: clock, uploads }: MediaShop & Shop<"uploads">,
) {
  const { body, file, now } = call;
  const fresh = newMediaItem(body, { id: newId("med", now), now });
  const creation = {
    route: "POST /admin/media",
    id: fresh.id,
    at: (id: string) => `/admin/media/${id}`,
    replay: async (id: string) => orNotFound(await openMediaLibrary(table, clock).find(id)),
  };
  const { item, replayed, headers } = await once<Pick<UsedItem, "item">>(
    creation,
    call,
    table,
    async (bind) => {
      await table.transact([
        addMediaItem(fresh),
        recordActivity(auditContextOf(call), "media.upload", targetOf(fresh), { after: fresh }),
        ...bind(),
      ]);
      return { item: fresh };
    },
  );
  const form = await uploads.formFor(item.id, body);
  if (file && !replayed) await uploads.send(form, file);
  return { item, form, headers };
}

interface ChangeCall extends AuditedCall {
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/**
 * Changes the texts or tags of a media item.
 *
 * @param first the item, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function changeMediaItem(
  call: ChangeCall & { readonly body: MediaItemPatch },
  first: UsedItem | undefined,
  { table, now: clock }: MediaShop,
): Promise<UsedItem> {
  const { params, body, now } = call;
  const used_in = orNotFound(first).used_in;
  const item = await change(
    first?.item,
    async () => (await openMediaLibrary(table, clock).find(params.id))?.item,
    call.headers["if-match"],
    {
      change: (before) => changedMediaItem(before, body, now),
      save: (before, after) =>
        table.transact([
          replaceMediaItem(before, after),
          recordActivity(auditContextOf(call), "media.update", targetOf(after), {
            before,
            after,
          }),
        ]),
    },
  );
  return { item, used_in };
}

/**
 * Deletes a media item that no record shows.
 *
 * @param first the item, as the request has read it
 * @throws AppError `not_found`, `in_use`, `version_mismatch`
 */
export async function deleteMediaItem(
  call: ChangeCall,
  first: UsedItem | undefined,
  { table, now: clock }: MediaShop,
): Promise<void> {
  const { params, now } = call;
  const { used_in } = orNotFound(first);
  if (used_in.length > 0) throw new AppError("in_use", { details: { used_in, used_by: used_in } });
  await edit(
    first?.item,
    async () => (await openMediaLibrary(table, clock).find(params.id))?.item,
    call.headers["if-match"],
    (before) =>
      table.transact([
        replaceMediaItem(before, deletedMediaItem(before, now)),
        recordActivity(auditContextOf(call), "media.delete", targetOf(before), { before }),
      ]),
  );
}
