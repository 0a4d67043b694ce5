import type { ListSource } from "#functions/list-route.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { StoredLead } from "#shared/domain/enquiry/lead.ts";
import { rangeOfDays } from "#shared/domain/base/day.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { FollowUps, followUpList } from "#shared/storage/enquiry/follow-ups.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { at } from "#shared/storage/reads.ts";
import { type EnquiryFilters, passing, readPerRecord, sortKeysOf } from "./enquiry-list.ts";

interface FollowUpFilters extends EnquiryFilters {
  readonly follow_up_from?: string | undefined;
  readonly follow_up_to?: string | undefined;
}

/**
 * The open leads with a follow-up that pass the filters and `isMatch`, the earliest follow-up first.
 *
 * @throws AppError `validation_failed` on `to` and `follow_up_to`
 */
export async function findFollowUps(
  shop: Shop<"table" | "settings", CommerceGroup>,
  isMatch: (lead: StoredLead) => boolean,
  filters: FollowUpFilters,
): Promise<ListSource<StoredLead>> {
  const { table, settings } = shop;
  const { follow_up_from: from, follow_up_to: to } = filters;
  if (from !== undefined && to !== undefined && from > to) {
    const message = "The follow up to field must be a date after or equal to follow_up_from.";
    throw invalidField("follow_up_to", message);
  }
  const [passes, { store }] = await Promise.all([passing(filters, shop), settings.current()]);
  const between = sortKeysOf(rangeOfDays({ from, to }, store.timezone));
  const range = { partition: followUpList, between };
  const read = async (rows: readonly { readonly id: string }[]) =>
    (await table.getMany({ leads: rows.map(({ id }) => at(Leads, { id })) })).leads;
  const matches = (lead: StoredLead) => passes(lead) && isMatch(lead);
  return {
    range,
    page: (page) =>
      table.page(FollowUps, range, { ...page, read, matches, most: readPerRecord * page.limit }),
  };
}
