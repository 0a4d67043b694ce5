import type { Category, CategoryKind } from "#shared/domain/catalog/category.ts";
import type { StoredPicture } from "#shared/domain/upload/media.ts";
import { demoId, slugOf } from "../identity.ts";

type Row = readonly [name: string, text: string, below?: readonly Row[]];

const trees: Readonly<Record<CategoryKind, readonly Row[]>> = {
  category: [
    [
      "Sofas",
      "Made to order in our Bengaluru workshop, in the size, cloth and comfort you choose.",
    ],
    [
      "Seating",
      "Chairs to read in, chairs to dine on and a few to simply admire.",
      [
        ["Accent Chairs", "One good chair can turn a corner into a room."],
        ["Dining Chairs", "Comfortable from the first roti to the last story."],
        ["Benches & Stools", "For entrances, counters and the guest who came late."],
      ],
    ],
    [
      "Tables",
      "Solid tops, honest joints and edges that are kind to hips and children.",
      [
        ["Dining Tables", "From breakfast for two to Diwali for ten."],
        ["Coffee Tables", "The low centre of the living room."],
        ["Side Tables", "A place for the cup, wherever you sit."],
        ["Desks", "For work that comes home and homework that never ends."],
      ],
    ],
    [
      "Bedroom",
      "Beds and what stands around them.",
      [
        ["Beds", "Solid wood and upholstered beds in queen and king."],
        ["Bedside Tables", "Room for a lamp, a book and a glass of water."],
        ["Wardrobes", "Deep enough for winter quilts and wedding sarees."],
      ],
    ],
    [
      "Storage",
      "Sideboards, shelves and media units that hide or show, as you please.",
      [
        ["Sideboards", "For crockery, papers and everything that has no other place."],
        ["Bookshelves", "Tall, open and strong enough for encyclopaedias."],
        ["TV Units", "Low units with room for cables and air for set-top boxes."],
      ],
    ],
    [
      "Lighting",
      "Warm light, at the height where you need it.",
      [
        ["Floor Lamps", "A pool of light beside the sofa."],
        ["Table Lamps", "For bedsides, desks and dark corners."],
        ["Pendants", "Light above the table, woven, spun or cast."],
      ],
    ],
    ["Rugs", "Dhurries, tufted and knotted rugs from Bhadohi, Jaipur and Panipat."],
    [
      "Decor",
      "The last tenth of a room.",
      [
        ["Mirrors", "To double the light."],
        ["Cushions", "Block prints and handlooms for the sofa you have."],
      ],
    ],
  ],
  collection: [
    ["Malabar", "Teak and woven cane, in the manner of old houses on the Kerala coast."],
    ["Deccan", "Sheesham with turned legs and brass, for rooms with high ceilings."],
    ["Nilgiri", "Light woods and soft greens, as clear as a morning in the hills."],
    ["Bombay Deco", "Curves, flutes and a little glamour from Marine Drive."],
    ["Kutch", "Handlooms, mirror work and colour from the edge of the desert."],
  ],
  room: [
    ["Living Room", "Sofas, tables and light for the room where everyone ends up."],
    ["Dining Room", "Tables, chairs and storage for meals of every size."],
    ["Bedroom", "Beds, wardrobes and bedside things."],
    ["Study", "Desks, shelves and lamps for work at home."],
    ["Entryway", "Benches, consoles and mirrors for the first impression."],
    ["Balcony", "Pieces that like the open air, under a roof."],
  ],
  style: [
    ["Modern Indian", "Indian woods and crafts in clean lines."],
    ["Mid-Century", "Tapered legs, low backs, warm wood."],
    ["Colonial", "Cane, turned legs and planters' chairs."],
    ["Art Deco", "Curves, flutes, velvet and brass."],
    ["Scandinavian", "Light, simple, uncluttered."],
    ["Boho", "Layered textiles, woven things, colour."],
  ],
};

/** All categories of every kind, as a flat list. `imageOf` returns the picture of a category. */
export function demoCategories(
  imageOf: (kind: CategoryKind, slug: string) => StoredPicture | null,
): Category[] {
  const flat = (kind: CategoryKind, rows: readonly Row[], parent: string | null): Category[] =>
    rows.flatMap(([name, text, below = []], position) => {
      const slug = slugOf(name);
      const id = demoId("cat", `${kind}/${slug}`);
      return [
        {
          id,
          version: 1,
          kind,
          slug,
          name,
          image: imageOf(kind, slug),
          description_html: `<p>${text}</p>`,
          parent_id: parent,
          position,
        },
        ...flat(kind, below, id),
      ];
    });
  return (Object.keys(trees) as CategoryKind[]).flatMap((kind) => flat(kind, trees[kind], null));
}
