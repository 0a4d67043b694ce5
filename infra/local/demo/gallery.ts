import type { StoredPicture } from "#shared/domain/media.ts";
import { canvas } from "./pictures/svg.ts";

/** A picture that is not drawn before somebody plants it. */
export interface Drawing {
  key: string;
  draw(): string;
}

/** Refers to a drawing by the address that records keep. */
export const pictureOf = (drawing: Drawing, alt: string): StoredPicture => ({
  url: `media://${drawing.key}`,
  alt,
  width: canvas.width,
  height: canvas.height,
});
