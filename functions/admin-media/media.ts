import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  changeMediaItem,
  deleteMediaItem,
  uploadMediaItem,
} from "#shared/application/upload/save-media-item.ts";
import { LimitedString } from "#shared/domain/base/text.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import {
  AdminMediaItem,
  type MediaItem,
  MediaItemPatch,
  NewMediaItem,
  adminMediaItem,
} from "#shared/domain/upload/media-item.ts";
import { StoredMediaType } from "#shared/domain/upload/media-type.ts";
import { UploadForm, maxFormFileBytes } from "#shared/domain/upload/upload.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { fileForm } from "#shared/http/multipart.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { allMedia, openMediaLibrary } from "#shared/storage/upload/media.ts";

const Params = z.object({ id: z.string().max(60) });
const headers = z.object({ "if-match": IfMatch });

type MediaShop = Shop<"table" | "now">;

export const listMedia = listRoute({
  path: "/admin/media",
  summary: "List media items, newest first",
  description: "With filters, pages may be shorter than `per_page`.",
  access: staff("media.view"),
  query: CursorPage.extend({
    q: LimitedString(100)
      .trim()
      .min(1)
      .optional()
      .meta({ description: "Part of `filename` or `alt`" }),
    type: StoredMediaType.optional(),
    tag: LimitedString(40).trim().toLowerCase().min(1).optional(),
  }),
  row: AdminMediaItem,
  list({ query: { q, type, tag } }, { table, now }: MediaShop) {
    const wanted = q?.toLowerCase();
    const matches = ({ filename, alt, content_type, tags }: MediaItem) =>
      (type ?? content_type) === content_type &&
      (tag === undefined || tags.includes(tag)) &&
      (wanted === undefined ||
        [filename, alt ?? ""].some((text) => text.toLowerCase().includes(wanted)));
    const media = openMediaLibrary(table, now);
    return { range: allMedia, page: (at) => media.list({ ...at, matches }) };
  },
  async shown(items, _call, { table, now }) {
    const usesOf = await openMediaLibrary(table, now).usesOfPage(items);
    return items.map((item) => adminMediaItem(item, usesOf(item.id)));
  },
});

export const uploadMedia = route({
  method: "POST",
  path: "/admin/media",
  summary: "Upload a picture, video, 3D model or PDF",
  description:
    "Returns a form, valid for 15 minutes, that uploads exactly this file. A " +
    "file of up to 4 MB may also be sent here. The file is then checked: poll the item " +
    "until it is `ready`, or `rejected` with a reason. Pictures (10 MB, 25 megapixels, not " +
    "animated) are re-encoded in several widths. Videos (MP4, WebM; 50 MB), 3D models (glb, usdz; " +
    "25 MB) and PDFs (10 MB) are stored unchanged; their first bytes must match their type. Items not ready after 24 hours are deleted.",
  access: staff("media.edit"),
  form: fileForm(maxFormFileBytes),
  idempotent: true,
  request: {
    body: NewMediaItem.meta({
      example: { filename: "oslo.jpg", content_type: "image/jpeg", size: 1_204_551, alt: "Oslo" },
    }),
  },
  response: { status: 201, data: AdminMediaItem.extend({ upload: UploadForm.nullable() }) },
  async handle(call, shop: MediaShop & Shop<"uploads">) {
    const { file } = call;
    const { item, form, headers } = await uploadMediaItem({ ...call, file }, shop);
    return {
      data: { ...adminMediaItem(item, []), upload: file ? null : form },
      version: item.version,
      headers,
    };
  },
});

export const getMedia = route({
  method: "GET",
  path: "/admin/media/{id}",
  summary: "Get a media item and its uses",
  description:
    "`used_in` names the records that show the item. `status` tells whether its file has been checked.",
  access: staff("media.view"),
  request: { params: Params },
  response: { status: 200, data: AdminMediaItem },
  first: ({ params }, { table, now }: MediaShop) => openMediaLibrary(table, now).find(params.id),
  async handle({ first }) {
    const { item, used_in } = orNotFound(first);
    return { data: adminMediaItem(item, used_in), version: item.version };
  },
});

export const changeMedia = route({
  method: "PATCH",
  path: "/admin/media/{id}",
  summary: "Update a media item",
  description:
    "Changes its alternative text or tags. Records that show the item keep their own text.",
  access: staff("media.edit"),
  request: {
    params: Params,
    headers,
    body: MediaItemPatch.meta({ example: { alt: "A grey armchair by a window", tags: ["oslo"] } }),
  },
  response: { status: 200, data: AdminMediaItem },
  errors: ["version_mismatch"],
  first: ({ params }, { table, now }: MediaShop) => openMediaLibrary(table, now).find(params.id),
  async handle(call, shop) {
    const { item, used_in } = await changeMediaItem(call, call.first, shop);
    return { data: adminMediaItem(item, used_in), version: item.version };
  },
});

export const deleteMedia = route({
  method: "DELETE",
  path: "/admin/media/{id}",
  summary: "Delete a media item",
  description:
    "Returns 409 while a record uses the item. Its files are deleted 30 days later; cached pages can show them until then.",
  access: staff("media.edit"),
  request: { params: Params, headers },
  response: { status: 204 },
  errors: ["in_use", "version_mismatch"],
  first: ({ params }, { table, now }: MediaShop) => openMediaLibrary(table, now).find(params.id),
  async handle(call, shop) {
    await deleteMediaItem(call, call.first, shop);
  },
});

export const routes = [listMedia, uploadMedia, getMedia, changeMedia, deleteMedia];
