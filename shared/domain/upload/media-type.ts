import { namesOf } from "../base/members.ts";
import * as z from "zod";
import { PictureType, pictureTypes } from "./upload.ts";

const megabyte = 1024 * 1024;

/** Files that the media library stores unchanged: their extensions and size limits. */
export const fileTypes = {
  "video/mp4": { extension: "mp4", maxBytes: 50 * megabyte },
  "video/webm": { extension: "webm", maxBytes: 50 * megabyte },
  "model/gltf-binary": { extension: "glb", maxBytes: 25 * megabyte },
  "model/vnd.usdz+zip": { extension: "usdz", maxBytes: 25 * megabyte },
  "application/pdf": { extension: "pdf", maxBytes: 10 * megabyte },
} as const;
export const FileType = z.enum(namesOf(fileTypes));
export type FileType = z.output<typeof FileType>;

/** The types that staff may upload to the media library. */
export const MediaType = z.enum([...PictureType.options, ...FileType.options]);
export type MediaType = z.output<typeof MediaType>;

/** The types that the media library may contain. SVG cannot be uploaded, but the demo shop's drawings use it. */
export const StoredMediaType = z.enum([...MediaType.options, "image/svg+xml"]);
export type StoredMediaType = z.output<typeof StoredMediaType>;

export const isFileType = (type: string): type is FileType => Object.hasOwn(fileTypes, type);
export const isPictureType = (type: string): type is PictureType =>
  Object.hasOwn(pictureTypes, type);

/** The role of a media item on a product. */
export function placeOf(type: StoredMediaType): "image" | "video" | "model_3d" | "document" {
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("video/")) return "video";
  return type.startsWith("model/") ? "model_3d" : "document";
}
