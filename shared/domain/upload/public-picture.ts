import * as z from "zod";
import { Picture, Swatch } from "../base/picture.ts";
import { variantWidths } from "./upload.ts";

/** A scaled copy of a picture. */
const ScaledPicture = z
  .object({
    url: z.string(),
    width: z.int(),
    height: z.int(),
    content_type: z.literal("image/webp"),
  })
  .meta({ id: "ScaledPicture" });
type ScaledPicture = z.output<typeof ScaledPicture>;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The file name of a re-encoded picture without its extension: `original-1200x900-d9cbb2`. */
export const originalName = ({ width, height }: Size, color: string): string =>
  `original-${width}x${height}-${color.slice(1)}`;

/** The folder of an upload, then the name of its original or of a copy. Earlier originals have no size and colour. */
const file =
  /^(.*\buploads\/(?:med|upl)_[0-7][0-9A-HJKMNP-TV-Z]{25}\/)(?:original(?:-(\d+)x(\d+)-([0-9a-f]{6})\.\w+|\.(?:jpg|png|webp|avif))|(\d+)\.webp)$/;

/**
 * What the address of an uploaded picture says: its dominant colour and its scaled copies, narrowest first. An address
 * that is no such picture has neither.
 *
 * @param url a stored address or its public URL
 * @param size used where the address does not contain the size; without it, such an address has no copies
 */
export function copiesOf(
  url: string,
  size?: Size,
): { color: string | null; variants: ScaledPicture[] } {
  const [, folder, ownWidth, ownHeight, color, copy] = file.exec(url) ?? [];
  const known = ownWidth ? { width: Number(ownWidth), height: Number(ownHeight) } : size;
  if (folder === undefined || known === undefined) return { color: null, variants: [] };
  const variants = variantWidths(copy ? Number(copy) : known.width).map((width) => ({
    url: `${folder}${width}.webp`,
    width,
    height: Math.max(1, Math.round((known.height * width) / known.width)),
    content_type: "image/webp" as const,
  }));
  return { color: color ? `#${color}` : null, variants };
}

/** What responses add to a stored picture. */
export const PictureCopies = z.object({
  color: z.string().nullable().meta({
    description: "The dominant colour, to show until the picture is loaded",
    example: "#d9cbb2",
  }),
  variants: z.array(ScaledPicture).meta({
    description: "WebP copies up to 320, 800 and 1600 pixels wide, narrowest first",
  }),
});

/** A stored picture with what its address says, for responses. */
export const withCopies = <Stored extends Picture>(picture: Stored) => ({
  ...picture,
  ...copiesOf(picture.url, picture),
});

/** A picture as the public reads it. Its input is a stored picture. */
export const PublicPicture = Picture.transform(withCopies).pipe(
  Picture.extend(PictureCopies.shape),
);

/** What responses add to a stored swatch: only the narrowest copy, because swatches are shown small. */
export const SwatchCopies = z.object({ variants: z.array(ScaledPicture) });

/** @param image the address of the close-up; null if there is none */
export const swatchCopies = (image: string | null): z.output<typeof SwatchCopies> => ({
  variants: image === null ? [] : copiesOf(image).variants.slice(0, 1),
});

/** A stored swatch with the narrowest copy of its picture, for responses. */
export const withSwatchCopy = <Stored extends { readonly image: string | null }>(
  swatch: Stored,
) => ({
  ...swatch,
  ...swatchCopies(swatch.image),
});

/** A swatch as the public reads it. Its input is a stored swatch. */
export const PublicSwatch = Swatch.transform(withSwatchCopy).pipe(
  Swatch.extend({
    sku: z.string().nullable().meta({
      description:
        "SKU of a variant in this look, or of a material's sample; null if there is none",
    }),
    variants: SwatchCopies.shape.variants.meta({
      description: "A WebP copy of the close-up, at most 320 pixels wide",
    }),
  }),
);
