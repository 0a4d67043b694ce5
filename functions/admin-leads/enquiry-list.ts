import type { Table } from "#shared/storage/table.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import * as z from "zod";
import { assigneeOf } from "#shared/application/enquiry/assign-staff.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { parseReference } from "#shared/domain/enquiry/enquiry.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { SearchWords } from "#shared/domain/base/machine-text.ts";
import { type TimeRange, isInRange, rangeOfDays } from "#shared/domain/base/day.ts";
import { Day, Phone } from "#shared/domain/base/text.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { type CursorScope, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { EnquiryReferences, staffNames } from "#shared/storage/enquiry/enquiries.ts";
import type { SettingsStore } from "#shared/storage/settings/settings.ts";

/** Filters that leads and quotes share. */
export const enquiryFilters = {
  ...CursorPage.shape,
  assignee: z
    .union([Id("stf"), z.literal("none")])
    .optional()
    .meta({ description: "Id of a staff user, or `none`" }),
  q: SearchWords(100)
    .optional()
    .meta({
      description:
        "Part of a name, email, phone or message, or a complete reference or phone number in any " +
        "notation",
    }),
  from: Day.optional().meta({ description: "First day, in the shop's timezone" }),
  to: Day.optional().meta({ description: "Last day, in the shop's timezone" }),
};

export interface Filters {
  readonly per_page: number;
  readonly cursor?: string | undefined;
  readonly assignee?: string | undefined;
  readonly q?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Enquiry {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly message: string | null;
  readonly assignee_id: string | null;
  readonly created_at: string;
}

/** The index partition of a list: of all records, or of those with one status. */
export type ListRange =
  | { readonly index: "gsi1"; readonly partition: string }
  | { readonly index: "gsi2"; readonly partition: string };

/** The records that are listed. */
export interface EnquiryList<Record> {
  readonly of: Entity<z.ZodType<Record> & z.ZodObject, { id: string }>;
  readonly range: ListRange;
  isMatch(record: Record): boolean;
  /** What the records are now, if that depends on others; by default they are as stored. */
  current?(records: readonly Record[]): Promise<readonly Record[]>;
}

/** Maximum number of reads per page. A page may therefore be shorter than requested. */
export const mostReads = 10;

/**
 * One page, newest first, of records that pass the filters and `isMatch`, with the names of their assignees.
 *
 * @throws AppError `validation_failed` on `to` and `cursor`
 */
export async function listEnquiries<Record extends Enquiry>(
  shop: Shop<"table" | "settings", CommerceGroup>,
  list: EnquiryList<Record>,
  filters: Filters,
) {
  const { records, next_cursor } = await readEnquiries(shop, list, filters);
  return { records: await withAssignees(shop.table, records), next_cursor };
}

/** Records with the names of their assignees. */
export async function withAssignees<Record extends Enquiry>(
  table: Table,
  records: readonly Record[],
) {
  const named = await staffNames(
    table,
    records.map(({ assignee_id }) => assignee_id),
  );
  return records.map((record) => ({ ...record, assignee: assigneeOf(record, named) }));
}

/**
 * Returns a function that tells whether a record passes the filters.
 *
 * @throws AppError `validation_failed` on `to`
 */
export async function passing(
  filters: Filters,
  { settings }: Shop<"settings", CommerceGroup>,
): Promise<(record: Enquiry) => boolean> {
  const searched = Phone.safeParse(filters.q);
  const hasPhone = searched.success
    ? isPhone(searched.data, (await settings.current()).store.country)
    : () => false;
  const created = await creationTimes(filters, settings);
  return (record) => isInRange(record.created_at, created) && matches(record, filters, hasPhone);
}

async function readEnquiries<Record extends Enquiry>(
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
  list: EnquiryList<Record>,
  filters: Filters,
): Promise<{ records: Record[]; next_cursor: string | null }> {
  const { of, range } = list;
  const isFound = await passing(filters, { settings });
  const passes = (record: Record) => isFound(record) && list.isMatch(record);
  const between = sortKeysOf(await creationTimes(filters, settings));
  const scope: CursorScope = { attribute: `${range.index}pk`, value: range.partition, between };
  let after: { [name: string]: unknown } | undefined = keyOfCursor(filters.cursor, scope);
  const reference = filters.q === undefined ? null : parseReference(filters.q);
  // Text that looks like a reference may be a name. If no record has this reference, the list searches it as text.
  const named = reference === null ? undefined : await table.get(EnquiryReferences, { reference });
  if (named) {
    // The cast is safe: the entity `of` stores records of this type.
    const record = (await table.get(of, named)) as Record | undefined;
    const found = record ? [record] : [];
    return {
      records: ((await list.current?.(found)) ?? found).filter(passes),
      next_cursor: null,
    };
  }
  const records: Record[] = [];
  for (let read = 0; read < mostReads; read++) {
    const limit = filters.per_page - records.length;
    const page = await table.page(of, { ...range, between, newestFirst: true }, { limit, after });
    // The cast is safe: the entity `of` stores records of this type.
    const enquiries = page.records as unknown as Record[];
    records.push(...((await list.current?.(enquiries)) ?? enquiries).filter(passes));
    after = page.next;
    if (!after || records.length === filters.per_page) break;
  }
  return { records, next_cursor: cursorOf(after, scope) };
}

/** The time range of the requested days in the shop's timezone. */
async function creationTimes(
  { from, to }: Filters,
  settings: Pick<SettingsStore, "current">,
): Promise<TimeRange> {
  if (from === undefined && to === undefined) return { from: null, until: null };
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidField("to", "The to field must be a date after or equal to from.");
  }
  return rangeOfDays({ from, to }, (await settings.current()).store.timezone);
}

/** The sort key range of a time range. Sort keys are a time and an id. */
export const sortKeysOf = ({ from, until }: TimeRange): readonly [string, string] => [
  from?.toISOString() ?? "0",
  until?.toISOString() ?? "9",
];

/** Returns a function that tells whether a phone number is the searched one, in any notation. */
function isPhone(searched: Phone, country: string): (phone: Phone) => boolean {
  const wanted = internationalPhone(searched, country);
  return (phone) => internationalPhone(phone, country) === wanted;
}

function matches(
  record: Enquiry,
  { assignee, q }: Filters,
  hasPhone: (phone: Phone) => boolean,
): boolean {
  if (assignee !== undefined && (record.assignee_id ?? "none") !== assignee) return false;
  if (q === undefined || parseReference(q) === record.reference) return true;
  const { name, email, phone, message } = record;
  if (phone !== null && hasPhone(phone)) return true;
  return normalizeText([name, email, phone, message].join("\n")).includes(normalizeText(q));
}
