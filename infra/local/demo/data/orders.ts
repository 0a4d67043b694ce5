import type { ShippingMethodCode } from "#shared/domain/settings/zone-settings.ts";
import type { Access } from "#shared/domain/contact/postal-address.ts";
import type { PaymentPlanCode } from "#shared/domain/pricing/payment-plans.ts";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import type { DemoOrderStep } from "../order-steps.ts";
import type { ReturnRow } from "../returns.ts";

/** An order of the demo shop. */
export interface DemoOrder {
  readonly name: string;
  readonly phone: string;
  /** A postal code in Bengaluru. */
  readonly postal_code: string;
  readonly line1: string;
  /** Names of products and sofas. */
  readonly items: readonly (readonly [name: string, quantity: number])[];
  /** Default: `standard`. */
  readonly method?: ShippingMethodCode;
  readonly payment_method: PaymentMethod;
  /** Default: `full`. */
  readonly plan?: PaymentPlanCode;
  readonly daysAgo: number;
  /** The open day of the calendar at the time of the order, from 0, and the window. Default: no slot. */
  readonly slot?: readonly [day: number, window: string];
  readonly access?: Access;
  /** Each step happens a number of days ago, or when the slot begins. */
  readonly steps: readonly (readonly [at: number | "slot", step: DemoOrderStep])[];
  readonly returns?: readonly ReturnRow[];
}

export const demoOrders: readonly DemoOrder[] = [
  {
    name: "Harish Kamath",
    phone: "+919845012301",
    postal_code: "560004",
    line1: "21 Bull Temple Road, Basavanagudi",
    items: [["Kaveri Lounge Chair", 1]],
    payment_method: "cod",
    daysAgo: 52,
    steps: [
      [51, "ready"],
      [50, "ship"],
      [48, "deliver"],
      [48, "collect"],
      [41, "complete"],
    ],
    returns: [
      {
        kind: "warranty",
        wish: "repair",
        reason: "defective",
        note: "A joint of the backrest is loose.",
        daysAgo: 12,
        steps: [
          [11, { status: "approved" }],
          [9, { status: "received" }],
          [
            6,
            {
              status: "repaired",
              answer: "We have glued the joint anew.",
              found: { accepted: 1, goods: "repair" },
            },
          ],
          [4, { sent_back: true }],
        ],
      },
    ],
  },
  {
    name: "Nandini Rao",
    phone: "+919845012302",
    postal_code: "560041",
    line1: "7, 30th Cross, Jayanagar 4th Block",
    items: [["Mysore Dining Chair", 4]],
    payment_method: "bank_transfer",
    daysAgo: 13,
    steps: [
      [12, "transfer"],
      [11, "ready"],
      [9, "ship"],
      [3, "deliver"],
    ],
    returns: [
      {
        reason: "changed-mind",
        daysAgo: 2,
        steps: [[1.5, { status: "cancelled" }]],
      },
      {
        reason: "wrong-item",
        note: "One of the four is darker than the others.",
        daysAgo: 0.3,
        steps: [],
      },
    ],
  },
  {
    name: "Rohan Bhat",
    phone: "+919845012314",
    postal_code: "560076",
    line1: "27 Bannerghatta Road, Hulimavu",
    items: [["Mysore Dining Chair", 4]],
    payment_method: "bank_transfer",
    daysAgo: 16,
    steps: [
      [15, "transfer"],
      [14, "ready"],
      [12, "ship"],
      [8, "deliver"],
    ],
    returns: [
      {
        reason: "damaged",
        note: "The seat was scratched when it came.",
        daysAgo: 7,
        steps: [
          [6, { status: "approved" }],
          [4, { status: "received" }],
        ],
      },
      {
        reason: "does-not-fit",
        daysAgo: 3,
        steps: [
          [2, { status: "approved", answer: "We collect it from your door." }],
          [1, { status: "pickup_scheduled", pickup: "morning" }],
        ],
      },
      {
        kind: "warranty",
        wish: "repair",
        reason: "defective",
        note: "A screw of the frame does not hold.",
        daysAgo: 1,
        steps: [[0.5, { status: "approved", answer: "We are sending you a new screw." }]],
      },
    ],
  },
  {
    name: "Gauri Prabhu",
    phone: "+919845012315",
    postal_code: "560010",
    line1: "61, 2nd Block, Rajajinagar",
    items: [["Vembanad Bedside Table", 4]],
    payment_method: "bank_transfer",
    daysAgo: 26,
    steps: [
      [25, "transfer"],
      [24, "ready"],
      [22, "ship"],
      [18, "deliver"],
    ],
    returns: [
      {
        reason: "changed-mind",
        daysAgo: 16,
        steps: [
          [15, { status: "approved" }],
          [12, { status: "received" }],
          [11, { status: "refunded", found: { accepted: 1, goods: "restock" } }],
        ],
      },
      {
        wish: "exchange",
        reason: "damaged",
        note: "The drawer was split.",
        daysAgo: 15,
        steps: [
          [14, { status: "approved" }],
          [10, { status: "received" }],
          [9, { status: "exchanged", found: { accepted: 1, goods: "scrap" }, again: true }],
        ],
      },
      {
        reason: "does-not-fit",
        daysAgo: 14,
        steps: [
          [13, { status: "approved" }],
          [9, { status: "received" }],
          [8, { status: "inspected", found: { refused: 1 }, answer: "The top has a new stain." }],
        ],
      },
      {
        reason: "wrong-item",
        daysAgo: 13,
        steps: [
          [12, { status: "approved" }],
          [8, { status: "received" }],
          [7, { status: "closed", found: { missing: 1 }, answer: "The carton was empty." }],
        ],
      },
    ],
  },
  {
    name: "Joel D'Souza",
    phone: "+919845012303",
    postal_code: "560095",
    line1: "118, 6th Block, Koramangala",
    items: [["Kaveri Lounge Chair", 1]],
    payment_method: "cod",
    daysAgo: 5,
    steps: [
      [4, "ready"],
      [1, "ship"],
    ],
  },
  {
    name: "Ayesha Khan",
    phone: "+919845012304",
    postal_code: "560005",
    line1: "34 Coles Road, Frazer Town",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    daysAgo: 7,
    steps: [
      [6, "transfer"],
      [5, "produce"],
    ],
  },
  {
    name: "Meera Krishnan",
    phone: "+919845012312",
    postal_code: "560008",
    line1: "16 Cambridge Road, Ulsoor",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    plan: "deposit",
    daysAgo: 3,
    // The deposit is paid; the balance is not due yet.
    steps: [
      [2.5, "transfer"],
      [1, "produce"],
    ],
  },
  {
    name: "Kabir Anand",
    phone: "+919845012313",
    postal_code: "560034",
    line1: "41, 4th Block, Koramangala",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    plan: "deposit",
    daysAgo: 24,
    // The balance is due.
    steps: [
      [23.5, "transfer"],
      [22, "produce"],
      [0.5, "ready"],
    ],
  },
  {
    name: "Suresh Menon",
    phone: "+919845012305",
    postal_code: "560066",
    line1: "B-904 Palm Meadows, Whitefield",
    items: [["Vembanad Bedside Table", 2]],
    payment_method: "bank_transfer",
    daysAgo: 4,
    steps: [[3, "cancel"]],
  },
  {
    name: "Deepa Hegde",
    phone: "+919845012306",
    postal_code: "560003",
    line1: "52, 11th Cross, Malleshwaram",
    items: [["Mysore Dining Chair", 2]],
    payment_method: "bank_transfer",
    // Half a day old, because it expires three days after it was placed.
    daysAgo: 0.5,
    steps: [],
  },
  {
    name: "Arvind Pai",
    phone: "+919845012307",
    postal_code: "560038",
    line1: "9, 1st Stage, Indiranagar",
    items: [["Vembanad Bedside Table", 1]],
    payment_method: "cod",
    daysAgo: 0,
    steps: [],
  },
  {
    name: "Meera Iyer",
    phone: "+919845012308",
    postal_code: "560011",
    line1: "15, 9th Main, Jayanagar 3rd Block",
    items: [["Kaveri Lounge Chair", 1]],
    method: "room_of_choice",
    payment_method: "cod",
    daysAgo: 0.2,
    slot: [0, "morning"],
    access: { floor: 3, lift: false, notes: "Narrow stairs. Call at the gate" },
    steps: [[0.1, "ready"]],
  },
  {
    name: "Vikram Shetty",
    phone: "+919845012309",
    postal_code: "560034",
    line1: "C-302 Raheja Residency, Koramangala 3rd Block",
    items: [["Mysore Dining Chair", 2]],
    method: "white_glove",
    payment_method: "bank_transfer",
    daysAgo: 0.2,
    slot: [1, "afternoon"],
    access: { floor: 3, lift: true, notes: null },
    steps: [[0.1, "transfer"]],
  },
  {
    name: "Thomas Kurian",
    phone: "+919845012310",
    postal_code: "560071",
    line1: "88 Domlur Layout",
    items: [["Vembanad Bedside Table", 2]],
    method: "room_of_choice",
    payment_method: "cod",
    daysAgo: 0.2,
    slot: [1, "morning"],
    steps: [],
  },
  {
    // Delivered in the slot that was promised.
    name: "Farida Merchant",
    phone: "+919845012312",
    postal_code: "560052",
    line1: "3 Cunningham Crescent Road, Vasanth Nagar",
    items: [["Vembanad Bedside Table", 1]],
    method: "room_of_choice",
    payment_method: "cod",
    daysAgo: 10,
    slot: [0, "morning"],
    steps: [
      [9.5, "ready"],
      [9, "ship"],
      ["slot", "deliver"],
      ["slot", "collect"],
    ],
    returns: [
      {
        reason: "changed-mind",
        daysAgo: 1,
        steps: [[0.5, { status: "declined", answer: "It was painted over." }]],
      },
    ],
  },
  {
    // Its buyer has to choose a delivery time.
    name: "Lakshmi Narayan",
    phone: "+919845012311",
    postal_code: "560080",
    line1: "4, 2nd Cross, Sadashivanagar",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    daysAgo: 30,
    steps: [
      [29, "transfer"],
      [27, "produce"],
      [0.1, "ready"],
    ],
  },
];
