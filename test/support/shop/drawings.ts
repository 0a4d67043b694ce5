import { demoId } from "#infra/local/demo/identity.ts";
import type { MediaAddress } from "#shared/domain/upload/media.ts";

/** The address of a drawing of the demo shop, by its name: `products/kaveri-lounge-chair/1`. */
export const drawingOf = (name: string): MediaAddress =>
  `media://uploads/${demoId("med", name)}/original.svg`;
