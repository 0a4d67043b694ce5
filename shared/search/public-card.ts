import type { ParsedJson } from "#shared/domain/base/parsed-json.ts";
import { copiesOf, swatchCopies } from "#shared/domain/upload/public-picture.ts";

/** A picture, or the close-up of a swatch, in the JSON text of a card. */
const picture =
  /"image":\{"url":"([^"\\]+)","alt":"(?:[^"\\]|\\.)*","width":(\d+),"height":(\d+)(?=\})|"image":(?:null|"([^"\\]+)")(?=\})/g;

/**
 * The JSON text of a `PublicCard` from that of a card with public URLs. The text is completed, not parsed, because
 * every list needs it for each of its cards.
 */
export const publicCard = (card: ParsedJson): ParsedJson =>
  // Only declared members are added to a parsed card.
  card.replace(picture, (found: string, ...groups: (string | undefined)[]) => {
    const [url, width, height, closeUp] = groups;
    const copies =
      url === undefined
        ? swatchCopies(closeUp ?? null)
        : copiesOf(url, { width: Number(width), height: Number(height) });
    return `${found},${JSON.stringify(copies).slice(1, -1)}`;
  }) as ParsedJson;
