import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import type { InteriorStory } from "#shared/domain/content/interior-story.ts";
import type { DemoCatalog } from "#infra/local/demo/catalog.ts";
import { type Drawing, drawing, pictureOf } from "#infra/local/demo/gallery.ts";
import { daysBefore, demoId, slugOf } from "#infra/local/demo/identity.ts";
import { type Placed, middleOf, scene } from "#infra/local/demo/pictures/compose.ts";

/** A piece of furniture in a picture: the name on its card, and the middle of its foot as fractions of the picture. */
type Item = readonly [name: string, x: number, y: number];

interface Room {
  wall: string;
  floor: string;
  scale: number;
  window: number | null;
  items: readonly Item[];
}

interface Row {
  title: string;
  room: string;
  style: string;
  daysAgo: number;
  text: readonly string[];
  rooms: readonly Room[];
}

const rows: readonly Row[] = [
  {
    title: "A Living Room in Indiranagar",
    room: "living-room",
    style: "modern-indian",
    daysAgo: 9,
    text: [
      "Meera and Joseph bought the flat for its window and then could not agree on a sofa for eight months.",
      "In the end it was the cloth that decided: a performance weave that survives two children and a beagle. Everything else followed the sofa: a low teak table, a lamp that needs no thought, one round mirror to catch the evening.",
    ],
    rooms: [
      {
        wall: "#cdd6c8",
        floor: "#b98d5f",
        scale: 0.25,
        window: 0.06,
        items: [
          ["Saanjh Sofa", 0.47, 0.77],
          ["Nilgiri Diamond Rug", 0.47, 0.95],
          ["Malpe Coffee Table", 0.47, 0.9],
          ["Chandan Floor Lamp", 0.8, 0.76],
          ["Surya Round Mirror", 0.52, 0.42],
        ],
      },
      {
        wall: "#cdd6c8",
        floor: "#b98d5f",
        scale: 0.28,
        window: null,
        items: [
          ["Nalanda Bookshelf", 0.28, 0.75],
          ["Kaveri Lounge Chair", 0.56, 0.84],
          ["Nandi Side Table", 0.74, 0.86],
          ["Prayag Tripod Lamp", 0.87, 0.76],
        ],
      },
    ],
  },
  {
    title: "Deco on Marine Drive",
    room: "living-room",
    style: "art-deco",
    daysAgo: 23,
    text: [
      "The building is from 1938 and so are the lifts. Inside, the corners are round and the light comes off the sea.",
      "Velvet, brass and one very long curve: the sofa stands free so that the room can be walked around, as it was meant to be.",
    ],
    rooms: [
      {
        wall: "#d9cbd0",
        floor: "#8f7a66",
        scale: 0.25,
        window: 0.08,
        items: [
          ["Queen’s Necklace Sofa", 0.45, 0.78],
          ["Rann Medallion Rug", 0.45, 0.95],
          ["Marine Drum Table", 0.45, 0.91],
          ["Marine Arc Lamp", 0.74, 0.77],
          ["Colaba Barrel Chair", 0.88, 0.86],
        ],
      },
      {
        wall: "#c7b6bd",
        floor: "#8f7a66",
        scale: 0.3,
        window: null,
        items: [
          ["Opera Fluted Sideboard", 0.5, 0.8],
          ["Surya Round Mirror", 0.5, 0.46],
          ["Regal Opal Pendant", 0.16, 0.37],
          ["Bhuj Woven Pouf", 0.84, 0.88],
        ],
      },
    ],
  },
  {
    title: "The Veranda in Fort Kochi",
    room: "balcony",
    style: "colonial",
    daysAgo: 41,
    text: [
      "Rain from June to September, guests from October to May. The veranda has to bear both.",
      "Teak and cane need little: a wipe with oil before the monsoon, and cushions that come indoors at night.",
    ],
    rooms: [
      {
        wall: "#e6dccb",
        floor: "#a8643f",
        scale: 0.27,
        window: 0.05,
        items: [
          ["Mandvi Planter Sofa", 0.46, 0.78],
          ["Konkan Round Jute Rug", 0.46, 0.95],
          ["Pondy Cane Coffee Table", 0.46, 0.9],
          ["Panjim Cane Armchair", 0.85, 0.86],
          ["Lotus Cane Pendant", 0.62, 0.36],
        ],
      },
      {
        wall: "#dfe3d2",
        floor: "#a8643f",
        scale: 0.32,
        window: 0.66,
        items: [
          ["Chettinad Rocking Chair", 0.34, 0.84],
          ["Aangan Terracotta Stool Table", 0.54, 0.87],
        ],
      },
    ],
  },
  {
    title: "Dinner for Eight in Jaipur",
    room: "dining-room",
    style: "modern-indian",
    daysAgo: 58,
    text: [
      "Three generations, one table. The grandmother insisted on solid wood, the grandchildren on chairs that swallow spilt dal.",
      "The cane pendant was the last thing to come and the first that everybody mentions.",
    ],
    rooms: [
      {
        wall: "#e6cdb8",
        floor: "#a67a50",
        scale: 0.29,
        window: 0.04,
        items: [
          ["Hampi Dining Table", 0.5, 0.84],
          ["Mysore Dining Chair", 0.39, 0.78],
          ["Mysore Dining Chair", 0.61, 0.78],
          ["Lotus Cane Pendant", 0.5, 0.4],
          ["Madurai Carver Chair", 0.79, 0.86],
        ],
      },
      {
        wall: "#e6cdb8",
        floor: "#a67a50",
        scale: 0.31,
        window: null,
        items: [
          ["Mattancherry Cane Sideboard", 0.5, 0.8],
          ["Jharokha Arch Mirror", 0.17, 0.72],
          ["Kolhapur Brass Side Table", 0.86, 0.86],
        ],
      },
    ],
  },
  {
    title: "Sleeping under the Nilgiris",
    room: "bedroom",
    style: "scandinavian",
    daysAgo: 75,
    text: [
      "A guest room in Coonoor where the mist comes in by the window if you let it.",
      "Cane for the headboard, so that the wall behind it stays dry; wool on the floor for the first step out of bed.",
    ],
    rooms: [
      {
        wall: "#c9d3d6",
        floor: "#c9a67c",
        scale: 0.29,
        window: 0.72,
        items: [
          ["Vembanad Cane Bed", 0.42, 0.82],
          ["Nilgiri Diamond Rug", 0.42, 0.95],
          ["Vembanad Bedside Table", 0.14, 0.8],
          ["Diya Table Lamp", 0.14, 0.62],
          ["Tara Upholstered Bench", 0.83, 0.9],
        ],
      },
      {
        wall: "#c9d3d6",
        floor: "#c9a67c",
        scale: 0.27,
        window: null,
        items: [
          ["Shimla Three-Door Wardrobe", 0.32, 0.79],
          ["Ooty Bouclé Armchair", 0.7, 0.86],
          ["Chandan Floor Lamp", 0.87, 0.77],
        ],
      },
    ],
  },
  {
    title: "The Study That Was a Balcony",
    room: "study",
    style: "mid-century",
    daysAgo: 96,
    text: [
      "Two metres by three, glazed in 2020 when the office moved home and never moved back.",
      "A real writing desk, a chair that allows for eight hours, and a wall of books so that the video calls look educated.",
    ],
    rooms: [
      {
        wall: "#d3cdbf",
        floor: "#9b8873",
        scale: 0.32,
        window: 0.04,
        items: [
          ["Rishi Writing Desk", 0.44, 0.8],
          ["Vidya Task Chair", 0.47, 0.89],
          ["Jantar Desk Lamp", 0.55, 0.53],
          ["Fort Kochi Étagère", 0.82, 0.78],
        ],
      },
      {
        wall: "#d3cdbf",
        floor: "#9b8873",
        scale: 0.28,
        window: null,
        items: [
          ["Coonoor Wing Chair", 0.36, 0.84],
          ["Nandi Side Table", 0.54, 0.87],
          ["Nalanda Bookshelf", 0.76, 0.76],
          ["Banjara Stripe Dhurrie", 0.42, 0.94],
        ],
      },
    ],
  },
];

export interface DemoStories {
  stories: InteriorStory[];
  drawings: Drawing[];
}

export function demoStories({ find }: DemoCatalog, now: Date): DemoStories {
  const built = rows.map((row) => buildStory(row, find, now));
  return {
    stories: built.map(({ story }) => story),
    drawings: built.flatMap(({ drawings }) => drawings),
  };
}

function buildStory(
  row: Row,
  find: DemoCatalog["find"],
  now: Date,
): { story: InteriorStory; drawings: Drawing[] } {
  const slug = slugOf(row.title);
  const shots = row.rooms.map((room, index) => {
    const alt = index === 0 ? row.title : `${row.title}, another corner`;
    const pieces = room.items.map(([name, x, y]): Placed & { name: string } => ({
      name,
      piece: find(name).piece,
      x,
      y,
    }));
    const picture = drawing(`stories/${slug}/${index + 1}`, alt, (title) =>
      scene(title, { ...room, pieces }),
    );
    const hotspots = pieces.map((placed) => ({
      ...middleOf(placed, room.scale),
      item: find(placed.name).reference,
    }));
    return { picture, image: { media: pictureOf(picture), hotspots } };
  });
  return {
    drawings: shots.map(({ picture }) => picture),
    story: {
      id: demoId("story", slug),
      slug,
      title: row.title,
      room: row.room,
      style: row.style,
      cover: shots[0]!.image.media,
      body_html: row.text.map((paragraph) => `<p>${paragraph}</p>`).join(""),
      images: shots.map(({ image }) => image),
      status: "published",
      version: 1,
      published: { slug, version: 1 },
      ...noTimes,
      published_at: daysBefore(now, row.daysAgo),
      created_at: daysBefore(now, row.daysAgo + 6),
      updated_at: daysBefore(now, row.daysAgo),
    },
  };
}
