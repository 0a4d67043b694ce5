import * as z from "zod";
import { ChosenConfiguration, Configuration } from "../sofa/configuration.ts";
import {
  type Edited,
  type EnquiryReference,
  isErased,
  refusedFields,
  refusedMove,
  refusedOfErased,
  storedEnquiry,
  unlessSame,
  EnquiryNoteView,
  StaffName,
} from "./enquiry.ts";
import { canBeReached, enquiryInput, enquiryPatch, unreachable } from "./enquiry-input.ts";
import { Id } from "../base/ids.ts";
import { inKeyOrder } from "../base/members.ts";
import { IdOrSlug } from "../base/names.ts";
import type { Machine } from "../order/status/order-states.ts";

export const LeadType = z.enum([
  "contact",
  "callback",
  "store_visit",
  "design_consultation",
  "bulk",
  "swatch",
]);
export type LeadType = z.output<typeof LeadType>;

export const LeadStatus = z.enum([
  "new",
  "contacted",
  "qualified",
  "quoted",
  "won",
  "lost",
  "spam",
]);
export type LeadStatus = z.output<typeof LeadStatus>;

/** The transitions of a lead's status, from `new` to `won`. Every open status may also become lost or spam. */
export const leadMachine: Machine<LeadStatus> = {
  new: ["contacted", "lost", "spam"],
  contacted: ["qualified", "lost", "spam"],
  qualified: ["quoted", "lost", "spam"],
  quoted: ["won", "lost", "spam"],
  won: [],
  lost: [],
  spam: [],
};

/** Whether DynamoDB stores the value exactly: no lone surrogates, no number beyond the safe integers. */
const isStorable = (value: string | number): boolean =>
  typeof value === "string" ? value.isWellFormed() : Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** A sofa configuration as submitted. It is validated later, because the sofa's model is not known here. */
const AnyConfiguration = ChosenConfiguration.refine(
  (choices) => Object.entries(choices).flat(2).every(isStorable),
  "The configuration field is invalid.",
);

/** `POST /leads`. */
export const LeadInput = z
  .strictObject({
    type: LeadType,
    ...enquiryInput,
    products: z
      .array(IdOrSlug("prd", "sofa"))
      .max(20)
      .default([])
      .meta({ description: "Ids or slugs of products and sofas of interest" }),
    configuration: AnyConfiguration.nullable().default(null),
  })
  .refine(canBeReached, unreachable());
export type LeadInput = z.output<typeof LeadInput>;

/** A lead as stored. Its notes are separate rows, because their number grows. */
export const StoredLead = z.object({
  id: Id("lead"),
  type: LeadType,
  status: LeadStatus,
  ...storedEnquiry,
  products: z.array(z.string()),
  configuration: Configuration.nullable(),
  lost_reason: z.string().nullable(),
});
export type StoredLead = z.output<typeof StoredLead>;

/** A lead in a list. */
export const LeadSummary = StoredLead.omit({
  assignee_id: true,
  message: true,
  configuration: true,
  source: true,
  consented_at: true,
})
  .extend({ assignee: StaffName.nullable() })
  .meta({ id: "LeadSummary" });

export const Lead = StoredLead.omit({ assignee_id: true })
  .extend({
    assignee: StaffName.nullable(),
    notes: z.array(EnquiryNoteView).meta({ description: "Oldest first" }),
    allowed_transitions: z.array(LeadStatus),
  })
  .meta({ id: "Lead" });

export const LeadPatch = z.strictObject({
  status: LeadStatus.optional(),
  ...enquiryPatch,
  reason: enquiryPatch.reason.meta({
    description: "Why the lead was lost; required if `status` becomes `lost`",
  }),
});
export type LeadPatch = z.output<typeof LeadPatch>;

export function newLead(
  input: LeadInput,
  {
    id,
    reference,
    letter_withheld = false,
    now,
  }: { id: string; reference: EnquiryReference; letter_withheld?: boolean; now: Date },
): StoredLead {
  const { consent: _consent, website: _website, configuration, ...content } = input;
  const at = now.toISOString();
  return {
    ...content,
    id,
    reference,
    status: "new",
    configuration: configuration && inKeyOrder(configuration),
    consented_at: at,
    assignee_id: null,
    follow_up_at: null,
    lost_reason: null,
    letter_withheld,
    erased_at: null,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}

/** The lead after an edit by staff. Setting the current status again changes nothing. */
export function changedLead(before: StoredLead, patch: LeadPatch, now: Date): Edited<StoredLead> {
  const { status = before.status, reason, assignee = before.assignee_id } = patch;
  const moves = status !== before.status;
  const refused =
    refusedOfErased(before, patch) ??
    (moves ? refusedMove(leadMachine, before.status, status) : undefined);
  if (refused) return refused;
  if (status === "lost" && moves && reason === undefined) {
    return refusedFields({ path: "reason", message: "Give a reason for the lost lead." });
  }
  if (reason !== undefined && status !== "lost") {
    return refusedFields({ path: "reason", message: "Only a lost lead can have a reason." });
  }
  const { name = before.name, email = before.email, phone = before.phone } = patch;
  if (!isErased(before) && !canBeReached({ email, phone })) {
    return refusedFields({ path: "email", message: unreachable().message });
  }
  const after: StoredLead = {
    ...before,
    status,
    name,
    email,
    phone,
    assignee_id: assignee,
    follow_up_at: patch.follow_up_at === undefined ? before.follow_up_at : patch.follow_up_at,
    lost_reason: reason ?? before.lost_reason,
    version: before.version + 1,
    updated_at: now.toISOString(),
  };
  return { ok: true, record: unlessSame(before, after, patch) };
}

const open: ReadonlySet<LeadStatus> = new Set(["new", "contacted", "qualified", "quoted"]);

export const isOpenLead = (status: LeadStatus): boolean => open.has(status);

/** The lead that follows its quote; undefined if it is closed or as far already. */
export function leadAfterQuote(
  lead: StoredLead,
  status: "quoted" | "won",
  now: Date,
): StoredLead | undefined {
  if (!open.has(lead.status) || lead.status === status) return undefined;
  return { ...lead, status, version: lead.version + 1, updated_at: now.toISOString() };
}
