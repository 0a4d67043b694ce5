import type { Package } from "#shared/domain/catalog/product.ts";

type Size = readonly [width: number, depth: number, height: number];

/** Members that all products of a category share. */
export interface Line {
  category: string;
  skuPrefix: string;
  /** Name of the option by which products differ in appearance. */
  look: "Colour" | "Finish";
  hsn: string;
  taxClass: "furniture" | "cane_bamboo" | "handmade_rug";
  rooms: readonly string[];
  care: keyof typeof careAdvice;
  warrantyMonths: number;
  /** Time in minutes and number of people that assembly takes; null if the product is delivered assembled. */
  assembly: readonly [minutes: number, people: number] | null;
  deliveryClasses: readonly string[];
  /** Days to dispatch. */
  leadTime: readonly [min: number, max: number];
  pack(size: Size, kg: number): Package[];
  /** Whether products of this line also have a picture in a furnished room. */
  furnished: boolean;
}

export const careAdvice = {
  wood: [
    [
      "Every week",
      "Dust along the grain with a soft, dry cloth. Use coasters: hot tea leaves rings on any polish.",
    ],
    [
      "Every year",
      "Rub in a thin coat of beeswax polish before the monsoon and keep the piece out of direct sun.",
    ],
  ],
  cloth: [
    ["Every week", "Vacuum with the soft brush and turn loose cushions."],
    [
      "Spills",
      "Blot at once with a clean cloth, never rub. Follow the cleaning code on the label.",
    ],
  ],
  light: [
    ["Cleaning", "Switch off, let the lamp cool and dust with a dry cloth. Bulbs up to 9 W LED."],
  ],
  rug: [
    ["Every week", "Vacuum along the pile without the beater. Turn the rug every three months."],
    [
      "Washing",
      "Have it washed by a professional once in two years. Shedding in the first months is normal.",
    ],
  ],
  mirror: [
    ["Cleaning", "Wipe with a slightly damp cloth and dry at once; keep sprays off the frame."],
  ],
} as const satisfies Record<string, readonly (readonly [string, string])[]>;

const box = (label: string, [w, d, h]: Size, kg: number): Package => ({
  label,
  width_mm: Math.round(w),
  depth_mm: Math.round(d),
  height_mm: Math.round(h),
  weight_g: Math.round(kg * 1000),
});

const whole: Line["pack"] = ([w, d, h], kg) => [box("Carton", [w + 60, d + 60, h + 60], kg * 1.12)];
const flat: Line["pack"] = ([w, d, h], kg) => [
  box("Top and panels", [w + 60, d + 60, 160], kg * 0.75),
  box("Legs and fittings", [h + 60, 260, 180], kg * 0.37),
];
const inThree: Line["pack"] = ([w, d, h], kg) => [
  box("Headboard", [w + 60, 160, h + 60], kg * 0.45),
  box("Side rails and legs", [d + 60, 260, 220], kg * 0.35),
  box("Slats and fittings", [w + 40, 300, 160], kg * 0.3),
];
const panels: Line["pack"] = ([w, d, h], kg) => [
  box("Sides and back", [h + 60, d + 60, 140], kg * 0.6),
  box("Doors and shelves", [h + 60, w / 2 + 60, 140], kg * 0.5),
];
const rolled: Line["pack"] = ([w, d], kg) => [
  box("Roll", [Math.min(w, d) + 80, 260, 260], kg * 1.05),
];

const piece: Line = {
  category: "",
  skuPrefix: "",
  look: "Finish",
  hsn: "94036000",
  taxClass: "furniture",
  rooms: ["living-room"],
  care: "wood",
  warrantyMonths: 36,
  assembly: null,
  deliveryClasses: ["bulky"],
  leadTime: [3, 6],
  pack: whole,
  furnished: true,
};
const seat: Line = { ...piece, look: "Colour", hsn: "94016100", care: "cloth", warrantyMonths: 24 };
const lamp: Line = {
  ...piece,
  hsn: "94052900",
  care: "light",
  warrantyMonths: 12,
  deliveryClasses: ["fragile"],
  leadTime: [2, 4],
  furnished: false,
};
const heavy = ["heavy", "room_of_choice", "white_glove"];

export const lines = {
  accentChairs: { ...seat, category: "accent-chairs", skuPrefix: "ACH", assembly: [15, 1] },
  diningChairs: {
    ...seat,
    category: "dining-chairs",
    skuPrefix: "DCH",
    hsn: "94016900",
    rooms: ["dining-room"],
  },
  benches: {
    ...seat,
    category: "benches-stools",
    skuPrefix: "BNC",
    hsn: "94016900",
    rooms: ["entryway", "bedroom"],
  },
  diningTables: {
    ...piece,
    category: "dining-tables",
    skuPrefix: "DTB",
    rooms: ["dining-room"],
    assembly: [30, 2],
    pack: flat,
    warrantyMonths: 60,
  },
  coffeeTables: {
    ...piece,
    category: "coffee-tables",
    skuPrefix: "CTB",
    assembly: [15, 1],
    pack: flat,
  },
  sideTables: {
    ...piece,
    category: "side-tables",
    skuPrefix: "STB",
    rooms: ["living-room", "bedroom"],
  },
  desks: {
    ...piece,
    category: "desks",
    skuPrefix: "DSK",
    hsn: "94033010",
    rooms: ["study"],
    assembly: [40, 2],
    pack: flat,
  },
  beds: {
    ...piece,
    category: "beds",
    skuPrefix: "BED",
    hsn: "94035010",
    rooms: ["bedroom"],
    assembly: [60, 2],
    pack: inThree,
    warrantyMonths: 60,
    deliveryClasses: heavy,
    leadTime: [5, 9],
  },
  bedsides: {
    ...piece,
    category: "bedside-tables",
    skuPrefix: "BST",
    hsn: "94035090",
    rooms: ["bedroom"],
  },
  wardrobes: {
    ...piece,
    category: "wardrobes",
    skuPrefix: "WRD",
    hsn: "94035090",
    rooms: ["bedroom"],
    assembly: [120, 2],
    pack: panels,
    deliveryClasses: heavy,
    leadTime: [7, 12],
  },
  sideboards: {
    ...piece,
    category: "sideboards",
    skuPrefix: "SBD",
    rooms: ["dining-room", "living-room"],
    deliveryClasses: heavy,
  },
  bookshelves: {
    ...piece,
    category: "bookshelves",
    skuPrefix: "BSH",
    rooms: ["study", "living-room"],
    assembly: [45, 2],
    pack: panels,
  },
  tvUnits: { ...piece, category: "tv-units", skuPrefix: "TVU" },
  floorLamps: {
    ...lamp,
    category: "floor-lamps",
    skuPrefix: "FLP",
    rooms: ["living-room", "study"],
    assembly: [10, 1],
  },
  tableLamps: { ...lamp, category: "table-lamps", skuPrefix: "TLP", rooms: ["bedroom", "study"] },
  pendants: {
    ...lamp,
    category: "pendants",
    skuPrefix: "PND",
    hsn: "94051900",
    rooms: ["dining-room", "living-room"],
  },
  rugs: {
    ...piece,
    category: "rugs",
    skuPrefix: "RUG",
    look: "Colour",
    hsn: "57023110",
    taxClass: "handmade_rug",
    rooms: ["living-room", "bedroom"],
    care: "rug",
    warrantyMonths: 12,
    deliveryClasses: [],
    pack: rolled,
    furnished: false,
  },
  mirrors: {
    ...piece,
    category: "mirrors",
    skuPrefix: "MIR",
    hsn: "70099200",
    rooms: ["entryway", "bedroom"],
    care: "mirror",
    warrantyMonths: 12,
    deliveryClasses: ["fragile"],
    furnished: false,
  },
  cushions: {
    ...piece,
    category: "cushions",
    skuPrefix: "CSH",
    look: "Colour",
    hsn: "94049000",
    care: "cloth",
    warrantyMonths: 6,
    deliveryClasses: [],
    leadTime: [1, 3],
    furnished: false,
  },
} as const satisfies Record<string, Line>;
