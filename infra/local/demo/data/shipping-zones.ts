import type {
  RateBand,
  ShippingMethodSettings,
  ShippingSettings,
  ShippingZone,
} from "#shared/domain/settings/shipping-settings.ts";
import type { SlotSettings } from "#shared/domain/settings/slot-settings.ts";
import { rupees } from "../identity.ts";

/** The maximum weight in kg and volume in litres, and the price in rupees. */
type Band = readonly [kilograms: number, litres: number, amount: number];

const bands = (rows: readonly Band[]): RateBand[] =>
  rows.map(([kilograms, litres, amount]) => ({
    max_weight_g: kilograms * 1000,
    max_volume_cm3: litres * 1000,
    amount: rupees(amount),
  }));

/** Prices times a factor, for remote areas. */
const farther = (rows: readonly Band[], factor: number): Band[] =>
  rows.map(([kilograms, litres, amount]) => [
    kilograms,
    litres,
    Math.round((amount * factor) / 50) * 50,
  ]);

const doorstep: readonly Band[] = [
  [2, 30, 99],
  [10, 200, 349],
  [30, 700, 799],
  [80, 2_000, 1_499],
  [200, 6_000, 2_999],
];
const carried: readonly Band[] = [
  [30, 700, 1_299],
  [120, 3_500, 2_499],
  [300, 9_000, 4_499],
  [800, 24_000, 8_999],
];

/** The settings of a method in a zone. */
interface Terms {
  days: readonly [min: number, max: number];
  factor: number;
  freeAbove: number | null;
}

const method = (
  facts: Pick<ShippingMethodSettings, "code" | "label" | "includes">,
  rows: readonly Band[],
  { days: [min, max], factor, freeAbove }: Terms,
): ShippingMethodSettings => ({
  ...facts,
  transit_days: { min, max },
  free_above: freeAbove === null ? null : rupees(freeAbove),
  bands: bands(factor === 1 ? rows : farther(rows, factor)),
});

const standard = (terms: Terms) =>
  method(
    {
      code: "standard",
      label: "Doorstep delivery",
      includes: ["Delivered to your door or building entrance", "Call before arrival"],
    },
    doorstep,
    terms,
  );

const roomOfChoice = (terms: Terms) =>
  method(
    {
      code: "room_of_choice",
      label: "Room of choice",
      includes: ["Two people carry it to your room", "Up to the fourth floor without a lift"],
    },
    carried,
    terms,
  );

const whiteGlove = (terms: Terms) =>
  method(
    {
      code: "white_glove",
      label: "White glove",
      includes: ["Carried to your room", "Unpacked and assembled", "Packaging taken away"],
    },
    farther(carried, 1.6),
    terms,
  );

const pickup: ShippingMethodSettings = {
  code: "pickup",
  label: "Collect from our studio",
  includes: ["Packed for your car", "We help to load"],
  transit_days: { min: 0, max: 1 },
  free_above: null,
  bands: [{ max_weight_g: null, max_volume_cm3: null, amount: 0 }],
};

const india = { country: "IN" };

/** All two-digit postal circles of the mainland, except those with their own zones and those without delivery. */
const mainland = [
  [11, 16],
  [20, 28],
  [30, 34],
  [36, 53],
  [56, 64],
  [67, 73],
  [75, 77],
  [80, 85],
].flatMap(([from = 0, to = 0]) =>
  Array.from({ length: to - from + 1 }, (_, step) => String(from + step)),
);
/** Prefixes of West Bengal: 74, but not 744, which belongs to the Andaman and Nicobar Islands. */
const bengal = ["740", "741", "742", "743", "745", "746", "747", "748", "749"];

const zones: ShippingZone[] = [
  {
    ...india,
    code: "bengaluru",
    name: "Bengaluru",
    postal_prefixes: ["560", "562"],
    cod: true,
    methods: [
      standard({ days: [1, 3], factor: 1, freeAbove: 15_000 }),
      roomOfChoice({ days: [1, 4], factor: 1, freeAbove: 50_000 }),
      whiteGlove({ days: [2, 5], factor: 1, freeAbove: null }),
      pickup,
    ],
  },
  {
    ...india,
    code: "metro",
    name: "Delhi NCR, Mumbai, Pune, Chennai, Hyderabad, Kolkata, Ahmedabad",
    postal_prefixes: [
      "110",
      "121",
      "122",
      "201",
      "400",
      "401",
      "410",
      "411",
      "600",
      "603",
      "500",
      "501",
      "700",
      "380",
      "382",
    ],
    cod: true,
    methods: [
      standard({ days: [3, 6], factor: 1.2, freeAbove: 25_000 }),
      roomOfChoice({ days: [4, 7], factor: 1.2, freeAbove: 75_000 }),
      whiteGlove({ days: [5, 9], factor: 1.2, freeAbove: null }),
      pickup,
    ],
  },
  {
    ...india,
    code: "hills",
    name: "Himachal, Jammu and Assam",
    postal_prefixes: ["17", "180", "181", "182", "184", "78"],
    cod: false,
    methods: [
      standard({ days: [8, 14], factor: 1.9, freeAbove: null }),
      roomOfChoice({ days: [9, 16], factor: 1.9, freeAbove: null }),
    ],
  },
  {
    ...india,
    code: "rest-of-india",
    name: "Rest of India",
    postal_prefixes: [...mainland, ...bengal],
    cod: true,
    methods: [
      standard({ days: [5, 9], factor: 1.4, freeAbove: 50_000 }),
      roomOfChoice({ days: [6, 11], factor: 1.4, freeAbove: 150_000 }),
    ],
  },
];

/** The delivery days of Bengaluru, where the shop drives its own van. */
const slots: SlotSettings = {
  enabled: true,
  required: false,
  methods: ["room_of_choice", "white_glove"],
  cut_off: "17:00",
  zones: {
    bengaluru: {
      weekdays: ["mon", "tue", "wed", "thu", "fri", "sat"],
      windows: [
        { code: "morning", label: "Morning", from: "09:00", to: "13:00", capacity: 6 },
        { code: "afternoon", label: "Afternoon", from: "13:00", to: "18:00", capacity: 6 },
      ],
      lead_days: 2,
      horizon_days: 60,
      closed_on: [],
      change_until_hours: 48,
    },
  },
};

export const demoShipping: ShippingSettings = { zones, slots };
