import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { StoredLead } from "#shared/domain/enquiry/lead.ts";
import { rangeOfDays } from "#shared/domain/base/day.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { FollowUps, followUpList } from "#shared/storage/enquiry/follow-ups.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { at } from "#shared/storage/reads.ts";
import { type Filters, mostReads, passing, sortKeysOf, withAssignees } from "./enquiry-list.ts";

interface FollowUpFilters extends Filters {
  readonly follow_up_from?: string | undefined;
  readonly follow_up_to?: string | undefined;
}

/**
 * One page of the open leads with a follow-up that pass the filters and `isMatch`, the earliest follow-up first, with the
 * names of their assignees.
 *
 * @throws AppError `validation_failed` on `to`, `follow_up_to` and `cursor`
 */
export async function listFollowUps(
  shop: Shop<"table" | "settings", CommerceGroup>,
  isMatch: (lead: StoredLead) => boolean,
  filters: FollowUpFilters,
) {
  const { table, settings } = shop;
  const { follow_up_from: from, follow_up_to: to, per_page } = filters;
  if (from !== undefined && to !== undefined && from > to) {
    const message = "The follow up to field must be a date after or equal to follow_up_from.";
    throw invalidField("follow_up_to", message);
  }
  const [passes, { store }] = await Promise.all([passing(filters, shop), settings.current()]);
  const between = sortKeysOf(rangeOfDays({ from, to }, store.timezone));
  const scope = { attribute: "pk", value: followUpList, between } as const;
  let after: { [name: string]: unknown } | undefined = keyOfCursor(filters.cursor, scope);
  const records: StoredLead[] = [];
  for (let read = 0; read < mostReads; read++) {
    const limit = per_page - records.length;
    const page = await table.page(
      FollowUps,
      { partition: followUpList, between },
      { limit, after },
    );
    const { leads } = await table.getMany({
      leads: page.records.map(({ id }) => at(Leads, { id })),
    });
    const found = leads.filter((lead) => lead !== undefined);
    records.push(...found.filter((lead) => passes(lead) && isMatch(lead)));
    after = page.next;
    if (!after || records.length === per_page) break;
  }
  return { records: await withAssignees(table, records), next_cursor: cursorOf(after, scope) };
}
