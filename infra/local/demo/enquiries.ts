import { resolveLine } from "#shared/domain/cart/cart-lines.ts";
import type { Category } from "#shared/domain/catalog/category.ts";
import {
  type Edited,
  type EnquiryReference,
  enquiryReference,
} from "#shared/domain/enquiry/enquiry.ts";
import {
  LeadInput,
  type LeadPatch,
  type StoredLead,
  changedLead,
  newLead,
} from "#shared/domain/enquiry/lead.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import { type QuoteChange, changedQuote, sentQuote } from "#shared/domain/enquiry/quote-edit.ts";
import { type QuoteItem, catalogItem, customItem } from "#shared/domain/enquiry/quote-item.ts";
import { StaffQuoteInput, newQuote, newStaffQuote } from "#shared/domain/enquiry/quote-input.ts";
import { addNote, claimReference } from "#shared/storage/enquiry/enquiries.ts";
import { addLead } from "#shared/storage/enquiry/leads.ts";
import { quoteWrites } from "#shared/storage/enquiry/quotes.ts";
import type { Write } from "#shared/storage/writes.ts";
import { currency, daysBefore, demoId, rupees } from "./identity.ts";

const sales = demoId("stf", "sales");

interface LeadRow {
  readonly name: string;
  readonly type: StoredLead["type"];
  readonly message: string;
  readonly daysAgo: number;
  readonly steps: readonly LeadPatch[];
  readonly note?: string;
}

const leads: readonly LeadRow[] = [
  {
    name: "Kavya Nair",
    type: "design_consultation",
    message: "We move into a three-room flat in March and start from nothing.",
    daysAgo: 0,
    steps: [],
  },
  {
    name: "Imran Sheikh",
    type: "store_visit",
    message: "May we come on Saturday to try the Saanjh sofa?",
    daysAgo: 1,
    steps: [],
  },
  {
    name: "Sneha Kulkarni",
    type: "swatch",
    message: "Could you send me greens, not too bright?",
    daysAgo: 4,
    steps: [{ status: "contacted", assignee: sales }],
    note: "Sent five swatches, calls back once they are there.",
  },
  {
    name: "Vikram Sethi",
    type: "bulk",
    message: "Twenty chairs for a restaurant in Whitefield.",
    daysAgo: 9,
    steps: [
      { status: "contacted", assignee: sales },
      { status: "qualified" },
      { status: "quoted" },
    ],
  },
  {
    name: "Lata Joshi",
    type: "callback",
    message: "Do you repair chairs that were bought elsewhere?",
    daysAgo: 20,
    steps: [{ status: "lost", reason: "We repair our own chairs only" }],
  },
];

/** The leads and quotes that sales staff see, in several states. */
export function demoEnquiries(
  shop: { products: readonly Product[]; categories: readonly Category[] },
  now: Date,
): Write[] {
  return [...leads.flatMap((row) => lead(row, now)), ...quotes(shop, now)];
}

function lead({ name, type, message, daysAgo, steps, note }: LeadRow, now: Date): Write[] {
  const begun = new Date(daysBefore(now, daysAgo));
  const id = demoId("lead", name);
  const reference = referenceOf("L", name);
  const input = LeadInput.parse({ type, name, message, email: emailOf(name), consent: true });
  const after = steps.reduce(
    (before, step) => made(changedLead(before, step, begun)),
    newLead(input, { id, reference, now: begun }),
  );
  const at = begun.toISOString();
  const noted = { id: demoId("note", name), at, author_id: sales, text: note ?? "" };
  return [
    ...addLead(after),
    claimReference(reference, id),
    ...(note === undefined ? [] : [addNote(`LEAD#${id}`, noted)]),
  ];
}

function quotes({ products, categories }: Parameters<typeof demoEnquiries>[0], now: Date): Write[] {
  const chair = products.find(({ slug }) => slug === "kaveri-lounge-chair");
  if (!chair) throw new Error("The chair that is quoted is missing");
  const chairs = productItem(chair, categories, 20, now);
  const bench = benchItem("Bench along a window", 2);
  const priced = { ...chairs, unit_price: Math.round((chairs.regular_price ?? 0) * 0.88) };
  const review = { status: "in_review", assignee: sales } as const;
  return [
    ...quote(
      "Vikram Sethi",
      { daysAgo: 8, now },
      [chairs],
      [review, { items: [priced], shipping_note: "Delivered in two lots.", status: "sent" }],
    ),
    ...quote("Nisha Fernandes", { daysAgo: 1, now }, [bench], []),
    ...quote(
      "Café Malgudi",
      { daysAgo: 3, now },
      [benchItem("Counter of reclaimed teak", 1)],
      [review],
    ),
    ...showroomQuote(
      "Leela Varghese",
      [{ ...chairs, id: demoId("line", "shown chairs"), quantity: 2 }],
      { daysAgo: 2, now },
    ),
    ...quote(
      "Harpreet Gill",
      { daysAgo: 30, now },
      [bench],
      [
        review,
        { items: [{ ...bench, unit_price: rupees(38_500) }], status: "sent" },
        { status: "declined", reason: "Builds it himself" },
      ],
    ),
  ];
}

function quote(
  name: string,
  { daysAgo, now }: { daysAgo: number; now: Date },
  items: QuoteItem[],
  steps: readonly QuoteChange[],
): Write[] {
  const begun = new Date(daysBefore(now, daysAgo));
  const id = demoId("qte", name);
  const reference = referenceOf("Q", name);
  const person = { name, email: emailOf(name), phone: null, postal_code: null };
  const request = newQuote(
    { ...person, message: null, source: null, consent: true, items, upload_ids: [] },
    { id, reference, currency, now: begun },
  );
  // No link was mailed, so no token has this hash.
  const link = { linkHash: "-", now: begun };
  const after = steps.reduce((before, step) => made(changedQuote(before, step, link)), request);
  return [...quoteWrites(after), claimReference(reference, id)];
}

/** An offer that was made in the showroom, and waits for its customer to accept it by phone. */
function showroomQuote(
  name: string,
  items: QuoteItem[],
  { daysAgo, now }: { daysAgo: number; now: Date },
): Write[] {
  const begun = new Date(daysBefore(now, daysAgo));
  const id = demoId("qte", name);
  const reference = referenceOf("Q", name);
  const phone = "+919845012316";
  const input = StaffQuoteInput.parse({
    customer: { name, phone },
    items: items.map(({ sku, quantity }) => ({ sku, quantity })),
    channel: "showroom",
    location: "indiranagar",
    payment_plan: "full",
    shipping_method: "room_of_choice",
  });
  const person = { customer_id: null, name, email: null, phone };
  const begunQuote = newStaffQuote(input, {
    id,
    reference,
    currency,
    person,
    items,
    by: sales,
    now: begun,
  });
  const sent = made(sentQuote(begunQuote, { via: "link", linkHash: "-", now: begun }));
  return [...quoteWrites(sent), claimReference(reference, id)];
}

function productItem(
  product: Product,
  categories: readonly Category[],
  quantity: number,
  now: Date,
): QuoteItem {
  const published = publishProduct(product, categories, now);
  const [variant] = product.variants;
  if (!published.ok || !variant) throw new Error(`${product.name} cannot be quoted`);
  const { id: product_id, slug } = product;
  const line = {
    kind: "product" as const,
    id: demoId("line", `quoted ${slug}`),
    quantity,
    unit_price: variant.price,
    product_id,
    slug,
    variant_id: variant.id,
    sku: variant.sku,
  };
  const products = new Map([[product_id, published.published]]);
  const none = new Map();
  const facts = { products, sofas: none, materials: none, stock: none, quotes: none };
  return catalogItem(
    resolveLine(line, facts, { now, currency: published.published.currency }).line,
  );
}

const benchItem = (title: string, quantity: number): QuoteItem =>
  customItem(
    {
      title,
      description: "As on the sketch that we sent.",
      dimensions: { width_mm: 2_400, depth_mm: 450, height_mm: 460 },
    },
    { id: demoId("line", title), quantity },
  );

function made<Record>(result: Edited<Record>): Record {
  if (result.ok) return result.record;
  throw new Error(`The demo's enquiry is wrong: ${JSON.stringify(result.refusal)}`);
}

/** A reference that is the same at every start, as ids are. */
const referenceOf = (letter: "L" | "Q", name: string): EnquiryReference =>
  enquiryReference(letter, Buffer.from(demoId("lead", `${letter} ${name}`).slice(-8)));

const emailOf = (name: string): string =>
  `${name
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z ]/g, "")
    .replaceAll(" ", ".")}@example.com`;
