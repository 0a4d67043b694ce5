import type { ListSource } from "#functions/list-route.ts";
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
import { CursorPage } from "#shared/http/paging.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { KeyRange } from "#shared/storage/pages.ts";
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

export interface EnquiryFilters {
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

export interface EnquiryList<Record> {
  readonly of: Entity<z.ZodType<Record> & z.ZodObject, { id: string }>;
  /** The index partition of a list: of all records, or of those with one status. */
  readonly range: Pick<KeyRange, "index" | "partition">;
  isMatch(record: Record): boolean;
  /** What the records are now, if that depends on others; by default they are as stored. */
  current?(records: readonly Record[]): Promise<readonly Record[]>;
}

/** How many records are read for each one of a page, if few match. A page may therefore be shorter than requested. */
export const readPerRecord = 10;

/**
 * Records that pass the filters and `isMatch`, newest first.
 *
 * @throws AppError `validation_failed` on `to`
 */
export async function findEnquiries<Record extends Enquiry>(
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
  list: EnquiryList<Record>,
  filters: EnquiryFilters,
): Promise<ListSource<Record>> {
  const { of, current = async (records) => records } = list;
  const isFound = await passing(filters, { settings });
  const matches = (record: Record) => isFound(record) && list.isMatch(record);
  const between = sortKeysOf(await creationTimes(filters, settings));
  const range: KeyRange = { ...list.range, between, newestFirst: true };
  const reference = filters.q === undefined ? null : parseReference(filters.q);
  return {
    range,
    async page(at) {
      // Text that looks like a reference may be a name. If no record has this reference, the list searches it as text.
      const named =
        reference === null ? undefined : await table.get(EnquiryReferences, { reference });
      // The casts are safe: the entity `of` stores records of this type.
      if (named) {
        const record = (await table.get(of, named)) as Record | undefined;
        return {
          records: (await current(record ? [record] : [])).filter(matches),
          next: undefined,
        };
      }
      const read = (rows: unknown) => current(rows as Record[]);
      return table.page(of, range, { ...at, read, matches, most: readPerRecord * at.limit });
    },
  };
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
  filters: EnquiryFilters,
  { settings }: Shop<"settings", CommerceGroup>,
): Promise<(record: Enquiry) => boolean> {
  const searched = Phone.safeParse(filters.q);
  const hasPhone = searched.success
    ? isPhone(searched.data, (await settings.current()).store.country)
    : () => false;
  const created = await creationTimes(filters, settings);
  return (record) => isInRange(record.created_at, created) && matches(record, filters, hasPhone);
}

/** The time range of the requested days in the shop's timezone. */
async function creationTimes(
  { from, to }: EnquiryFilters,
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
  { assignee, q }: EnquiryFilters,
  hasPhone: (phone: Phone) => boolean,
): boolean {
  if (assignee !== undefined && (record.assignee_id ?? "none") !== assignee) return false;
  if (q === undefined || parseReference(q) === record.reference) return true;
  const { name, email, phone, message } = record;
  if (phone !== null && hasPhone(phone)) return true;
  return normalizeText([name, email, phone, message].join("\n")).includes(normalizeText(q));
}
