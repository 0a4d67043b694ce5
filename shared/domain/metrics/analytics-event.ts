import { normalizeText } from "../base/normalized-words.ts";
import * as z from "zod";
import { Currency } from "../base/money.ts";
import { IdOrSlug, Sku } from "../base/names.ts";
import { dayIn } from "../base/day.ts";
import { Day, LimitedString, Text, Timestamp } from "../base/text.ts";
import { isPageAddress, noPageAddress } from "../base/web-address.ts";

/** Stands for an email address or a long number. */
const masked = "*";
const longestQuery = 80;

/** Nine digits with separators, such as a phone number, or six in a row, such as a postal code. */
const longNumbers = /\p{Nd}(?:[\s().+-]{0,2}\p{Nd}){8,}|\p{Nd}{6,}/gu;
const separators = /[^\p{L}\p{N}\p{M}*]+/u;

/**
 * The form in which the words of a search are stored and counted: normalized, without punctuation, up to 80 characters.
 * `*` replaces an email address and a number of six or more digits.
 *
 * @returns null if nothing is left
 */
export function countedQuery(text: string): string | null {
  const words = normalizeText(text.replaceAll(masked, " "))
    .replaceAll(/\s*@\s*/g, "@")
    .split(/\s+/)
    .map((word) => (word.includes("@") ? masked : word))
    .join(" ")
    .replaceAll(longNumbers, ` ${masked} `)
    .split(separators)
    .filter((word) => word !== "")
    .join(" ")
    .normalize("NFC");
  const query = Array.from(words).slice(0, longestQuery).join("").trim();
  return query === "" ? null : query;
}

export const AnalyticsEventName = z.enum([
  "page_view",
  "view_item_list",
  "view_item",
  "search",
  "add_to_cart",
  "remove_from_cart",
  "begin_checkout",
  "purchase",
  "generate_lead",
  "configurator_option",
  "configurator_complete",
  "fabric_upload",
  "whatsapp_click",
]);
export type AnalyticsEventName = z.output<typeof AnalyticsEventName>;

/** A client's id of an event, session or visitor: a UUID, a ULID or a counter. */
const ClientKey = LimitedString(80)
  .regex(/^[\w.:-]+$/)
  .meta({ description: "Chosen by the client from letters, digits, `_`, `.`, `:` and `-`" });

const isAddress = (text: string) => text.startsWith("/") || URL.canParse(text);
const Address = Text(2_000)
  .check(z.refine(isAddress, "Give a path that begins with / or a full URL."))
  .meta({ description: "A path or a full URL; its query is not stored", example: "/sofas" });
const PageAddress = Address.refine(isPageAddress, noPageAddress);

const Campaign = Text(100).nullable().optional();

const PageSeen = z.strictObject({
  path: PageAddress,
  title: Text(200).nullable().optional(),
  referrer: Address.nullable().optional().meta({ description: "Only its host is stored" }),
  utm_source: Campaign,
  utm_medium: Campaign,
  utm_campaign: Campaign,
});

const EventItem = z
  .strictObject({
    product: IdOrSlug("prd").optional(),
    sofa: IdOrSlug("sofa").optional(),
    sku: Sku.optional(),
    quantity: z.int().min(1).max(999).default(1),
  })
  .refine(
    ({ product, sofa, sku }) => [product, sofa, sku].filter(Boolean).length === 1,
    "Give exactly one of product, sofa and sku.",
  );

const SearchWords = Text(200).meta({
  description: "The words as typed; an email address or a long number in them is not stored",
});

const EventMembers = z.strictObject({
  event_id: ClientKey,
  name: AnalyticsEventName,
  occurred_at: Timestamp.meta({ description: "Time of the action, at most seven days ago" }),
  session_id: ClientKey,
  anonymous_id: ClientKey.nullable().optional(),
  page: z.union([PageAddress, PageSeen]).nullable().optional(),
  items: z.array(EventItem).max(20).optional().meta({ description: "Items the event is about" }),
  search: z
    .strictObject({ query: SearchWords, results: z.int().min(0).max(10_000_000) })
    .nullable()
    .optional()
    .meta({ description: "Of a `search`: the words, and the number of results" }),
  search_query: SearchWords.nullable().optional().meta({
    description: "Of a `view_item`: the search whose results led to the item",
  }),
  value: z.int().min(0).max(10_000_000_000).nullable().optional().meta({
    description: "In minor units. Sales metrics are computed from orders, not from this value",
  }),
  currency: Currency.nullable().optional(),
});

/** One action of a visitor. */
export const AnalyticsEvent = EventMembers.refine(
  ({ name, search }) => !search || name === "search",
  { path: ["search"], message: "Only the event search has the search field." },
)
  .refine(({ name, search_query }) => !search_query || name === "view_item", {
    path: ["search_query"],
    message: "Only the event view_item has the search query field.",
  })
  .meta({
    id: "AnalyticsEvent",
    example: {
      event_id: "evt-1",
      name: "view_item",
      occurred_at: "2026-11-21T09:00:00.000Z",
      session_id: "3f0c9d62-5f5e-4a53-9a0e-0d8b8f5f9a11",
      page: { path: "/products/kaveri-lounge-chair", referrer: "https://www.google.com/" },
      items: [{ product: "kaveri-lounge-chair" }],
    },
  });
export type AnalyticsEvent = z.output<typeof AnalyticsEvent>;

/**
 * An event as stored: pages without their query, only the host of a referrer, and the words of a search as they are
 * counted.
 */
export const StoredEvent = EventMembers.omit({
  page: true,
  search: true,
  search_query: true,
}).extend({
  search: z.object({ query: z.string(), results: z.int() }).nullable().optional(),
  search_query: z.string().nullable().optional(),
  page: z
    .object({
      path: z.string(),
      title: z.string().nullable(),
      referrer_host: z.string().nullable(),
      utm_source: z.string().nullable(),
      utm_medium: z.string().nullable(),
      utm_campaign: z.string().nullable(),
    })
    .nullable(),
  /** The day whose metrics count the event. */
  day: Day,
  received_at: Timestamp,
});
export type StoredEvent = z.output<typeof StoredEvent>;

const dayMs = 86_400_000;
const oldestDays = 7;
/** How far a visitor's clock may be ahead. */
const aheadMs = 10 * 60_000;

/** Whether an event is recent and not in the future. */
export function isRecent(occurredAt: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(occurredAt);
  return age <= oldestDays * dayMs && age >= -aheadMs;
}
export const notRecent = `The occurred at field must lie within the last ${oldestDays} days.`;

export function storedEvent(
  event: AnalyticsEvent,
  { now, timezone }: { now: Date; timezone: string },
): StoredEvent {
  const { page, search, search_query, ...rest } = event;
  const query = countedQuery(search?.query ?? "");
  return {
    ...rest,
    page: page ? storedPage(page) : null,
    search: search && query !== null ? { query, results: search.results } : null,
    search_query: countedQuery(search_query ?? ""),
    day: dayIn(timezone, new Date(event.occurred_at)),
    received_at: now.toISOString(),
  };
}

function storedPage(page: NonNullable<AnalyticsEvent["page"]>): StoredEvent["page"] {
  const seen = typeof page === "string" ? { path: page } : page;
  const { path, title, referrer, utm_source, utm_medium, utm_campaign } = seen;
  const campaign = queryOf(path);
  return {
    path: pathOf(path),
    title: title ?? null,
    referrer_host: referrer ? foreignHost(referrer, path) : null,
    utm_source: utm_source ?? campaign("utm_source"),
    utm_medium: utm_medium ?? campaign("utm_medium"),
    utm_campaign: utm_campaign ?? campaign("utm_campaign"),
  };
}

/** The base URL for parsing addresses that are only a path. */
const somewhere = "https://page.invalid";
const longestPath = 160;

/** The path of a page's address, without a query or a trailing slash. */
function pathOf(address: string): string {
  const { pathname } = URL.parse(address, somewhere) ?? { pathname: "/" };
  return pathname.slice(0, longestPath).replace(/(?<=.)\/+$/, "");
}

/** The host of a referrer; null if the referrer is a page of the same site. */
function foreignHost(referrer: string, address: string): string | null {
  const host = hostOf(referrer);
  return host === hostOf(address) ? null : host;
}

function hostOf(address: string): string | null {
  const { hostname = "" } = URL.parse(address) ?? {};
  return hostname === "" ? null : hostname.replace(/^www\./, "").slice(0, 100);
}

function queryOf(address: string): (name: string) => string | null {
  const query = URL.parse(address, somewhere)?.searchParams;
  return (name) => Text(100).safeParse(query?.get(name)).data ?? null;
}
