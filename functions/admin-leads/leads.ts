import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { type LeadRecord, patchLead, readLead } from "#shared/application/enquiry/patch-lead.ts";
import { invalidField, orNotFound } from "#shared/domain/request/app-error.ts";
import { Day } from "#shared/domain/base/text.ts";
import * as z from "zod";
import {
  Lead,
  LeadPatch,
  LeadStatus,
  LeadSummary,
  LeadType,
  type StoredLead,
  leadMachine,
} from "#shared/domain/enquiry/lead.ts";
import { allowedTransitions } from "#shared/domain/order/status/order-states.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { route, staff } from "#shared/http/route.ts";
import { Leads, leadList, leadsIn } from "#shared/storage/enquiry/leads.ts";
import type { Table } from "#shared/storage/table.ts";
import { enquiryFilters, findEnquiries, withAssignees } from "./enquiry-list.ts";
import { findFollowUps } from "./follow-up-list.ts";
import { withNames } from "#shared/application/enquiry/assign-staff.ts";

const LeadQuery = z.strictObject({
  ...enquiryFilters,
  status: LeadStatus.optional(),
  type: LeadType.optional(),
  sort: z.enum(["-created_at", "follow_up_at"]).optional().meta({
    description: "Default: `-created_at`, with days of follow-up `follow_up_at`",
  }),
  follow_up_from: Day.optional().meta({ description: "First day of follow-up" }),
  follow_up_to: Day.optional().meta({ description: "Last day of follow-up" }),
});

export const listLeads = listRoute({
  path: "/admin/leads",
  summary: "List leads, newest first or by follow-up",
  description:
    "With filters, pages may be shorter than `per_page`. By follow-up, the list has the open leads with a " +
    "`follow_up_at`, the earliest first.",
  access: staff("leads.view"),
  query: LeadQuery,
  row: LeadSummary,
  list({ query }, shop: Shop<"table" | "settings", CommerceGroup>) {
    const { status, type } = query;
    const isMatch = (lead: StoredLead) =>
      (type ?? lead.type) === lead.type && (status ?? lead.status) === lead.status;
    if (sortOf(query) === "follow_up_at") return findFollowUps(shop, isMatch, query);
    const range =
      status === undefined
        ? ({ index: "gsi1", partition: leadList } as const)
        : ({ index: "gsi2", partition: leadsIn(status) } as const);
    return findEnquiries(shop, { of: Leads, range, isMatch }, query);
  },
  shown: (leads, _call, { table }) => withAssignees(table, leads),
});

/** @throws AppError `validation_failed` */
function sortOf({ sort, follow_up_from, follow_up_to }: z.output<typeof LeadQuery>) {
  const hasDays = follow_up_from !== undefined || follow_up_to !== undefined;
  if (hasDays && sort === "-created_at") {
    throw invalidField("sort", "A list by days of follow-up is sorted by follow_up_at.");
  }
  return hasDays ? "follow_up_at" : (sort ?? "-created_at");
}

export const getLead = route({
  method: "GET",
  path: "/admin/leads/{id}",
  summary: "Get a lead with its notes",
  description: "Includes `allowed_transitions`, the states that the lead can change to.",
  access: staff("leads.view"),
  request: { params: byId },
  response: { status: 200, data: Lead },
  first: ({ params }, { table }: Shop<"table">) => readLead(table, params.id),
  handle: async ({ first }, { table }) => answerOf(table, orNotFound(first)),
});

export const changeLead = route({
  method: "PATCH",
  path: "/admin/leads/{id}",
  summary: "Update a lead",
  description:
    "Changes state or assignee, or adds a note. Refuses a state that is not in `allowed_transitions`.",
  access: staff("leads.edit"),
  request: {
    params: byId,
    headers: ifMatch,
    body: LeadPatch.meta({
      example: { status: "contacted", notes: "Called, wants to see fabrics on Saturday." },
    }),
  },
  response: { status: 200, data: Lead },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => readLead(table, params.id),
  async handle(call, { table }) {
    return answerOf(table, await patchLead(call, call.first, table));
  },
});

async function answerOf(table: Table, { lead, notes }: LeadRecord) {
  const view = await withNames(table, lead, notes);
  const allowed_transitions = [...allowedTransitions(leadMachine, lead.status)];
  return { data: { ...view, allowed_transitions }, version: lead.version };
}

export const routes = [listLeads, getLead, changeLead];
