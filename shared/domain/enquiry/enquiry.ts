import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { PostalCode } from "../contact/postal-code.ts";
import type { Problem } from "../base/names.ts";
import { readableSigns } from "../order/order-number.ts";
import { type Machine, allowedTransitions, canMove } from "../order/status/order-states.ts";
import { machineText } from "../base/machine-text.ts";
import { Email, MultilineText, NullableTimestamp, Phone, Text, Timestamp } from "../base/text.ts";
import { isPageAddress, noPageAddress } from "../base/web-address.ts";

/** The number that customers name on the phone. It starts with `L` for a lead and with `Q` for a quote. */
export const EnquiryReference = z
  .string()
  .regex(/^[LQ](?:-[2-9A-HJ-NP-Z]{4}){2}$/)
  .meta({
    description: "Reference number for the customer",
    example: "L-7K3M-92QX",
  });
export type EnquiryReference = z.output<typeof EnquiryReference>;

const referenceLength = 8;

/**
 * A new random reference.
 *
 * @param random at least 8 bytes from a secure source: 40 bits of them are used
 */
export function enquiryReference(letter: "L" | "Q", random: Uint8Array): EnquiryReference {
  if (random.length < referenceLength) throw new RangeError("A reference takes 8 random bytes.");
  const signs = readableSigns(random.subarray(0, referenceLength));
  return `${letter}-${signs.slice(0, 4)}-${signs.slice(4)}`;
}

/** Parses a reference as a person typed it: any case, dashes optional. */
export function parseReference(typed: string): EnquiryReference | null {
  const signs = machineText(typed)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "");
  const written = `${signs.slice(0, 1)}-${signs.slice(1, 5)}-${signs.slice(5)}`;
  return EnquiryReference.safeParse(written).success ? written : null;
}

const known = (max: number) => Text(max).nullable().default(null);

/** Where the visitor came from, as reported by the page. */
export const EnquirySource = z.strictObject({
  page: Text(500)
    .refine(isPageAddress, noPageAddress)
    .nullable()
    .default(null)
    .meta({ description: "A path of the site or a full URL" }),
  utm_source: known(200),
  utm_medium: known(200),
  utm_campaign: known(200),
  utm_term: known(200),
  utm_content: known(200),
});
export type EnquirySource = z.output<typeof EnquirySource>;

/** The stored members that leads and quotes share. */
export const storedEnquiry = {
  reference: EnquiryReference,
  name: Text(120),
  email: Email.nullable(),
  phone: Phone.nullable(),
  message: MultilineText(5_000).nullable(),
  postal_code: PostalCode.nullable(),
  source: EnquirySource.nullable(),
  consented_at: Timestamp,
  /** Id of the assigned staff user. */
  assignee_id: z.string().nullable(),
  follow_up_at: NullableTimestamp,
  letter_withheld: z.boolean().meta({
    description: "Whether no acknowledgement was mailed, because the address got too many that day",
  }),
  erased_at: NullableTimestamp.default(null).meta({
    description: "When the personal data was erased",
  }),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
};

type Erasable = Pick<z.output<z.ZodObject<typeof storedEnquiry>>, "erased_at">;

export const isErased = ({ erased_at }: Erasable): boolean => erased_at !== null;

/** A note by staff. It never changes. */
export const EnquiryNote = z.object({
  id: z.string(),
  at: Timestamp,
  author_id: z.string(),
  text: z.string(),
});
export type EnquiryNote = z.output<typeof EnquiryNote>;

/** Why an edit is refused. */
type EditRefusal =
  | {
      readonly kind: "transition";
      readonly from: string;
      readonly to: string;
      readonly allowed: readonly string[];
      /** The reason in words where the statuses do not say it, or a customer does not know them. */
      readonly message?: string;
    }
  | { readonly kind: "fields"; readonly problems: readonly Problem[] };

export type Edited<Record> =
  | { readonly ok: true; readonly record: Record }
  | { readonly ok: false; readonly refusal: EditRefusal };

/** The record after an edit. If the edit changes nothing, its version stays. */
export function unlessSame<Record extends { version: number; updated_at: string }>(
  before: Record,
  after: Record,
  { notes }: { notes?: string | undefined },
): Record {
  const { version, updated_at } = before;
  const same = isDeepStrictEqual({ ...after, version, updated_at }, before);
  return same && notes === undefined ? before : after;
}

/** The refusal to add personal data to an erased record; undefined if the edit adds none. */
export function refusedOfErased(
  before: Erasable,
  patch: { readonly [Member in (typeof personal)[number]]?: unknown },
): { ok: false; refusal: EditRefusal } | undefined {
  const named = isErased(before) ? personal.filter((member) => patch[member] !== undefined) : [];
  if (named.length === 0) return undefined;
  const message = "The personal data was erased and cannot be entered again.";
  return refusedFields(...named.map((path) => ({ path, message })));
}

const personal = [
  "name",
  "email",
  "phone",
  "notes",
  "person",
  "shipping_address",
  "billing_address",
  "note",
  "tax_id",
] as const;

export const refusedFields = (...problems: Problem[]) =>
  ({ ok: false, refusal: { kind: "fields", problems } }) as const;

/**
 * The refusal of a status change that `machine` does not contain or `may` does not allow; undefined if it is allowed.
 */
export function refusedMove<State extends string>(
  machine: Machine<State>,
  from: State,
  to: State,
  may: (state: State) => boolean = () => true,
): { ok: false; refusal: EditRefusal } | undefined {
  if (canMove(machine, from, to) && may(to)) return undefined;
  const allowed = allowedTransitions(machine, from).filter(may);
  return { ok: false, refusal: { kind: "transition", from, to, allowed } };
}

/** A staff user as named in other records. */
export const StaffName = z
  .object({
    id: z.string(),
    name: z.string().nullable().meta({ description: "The user's current name" }),
  })
  .meta({ id: "StaffName" });
export type StaffName = z.output<typeof StaffName>;

export const EnquiryNoteView = EnquiryNote.omit({ author_id: true })
  .extend({ author: StaffName })
  .meta({ id: "EnquiryNote" });

/** The response to an accepted form. */
export const EnquiryReceipt = z.object({
  id: z.string(),
  reference: EnquiryReference,
  status: z.string(),
});
export type EnquiryReceipt = z.output<typeof EnquiryReceipt>;
