import * as z from "zod";
import { PostalCode } from "../contact/postal-code.ts";
import { Id } from "../base/ids.ts";
import { Email, MultilineText, NullableTimestamp, Phone, Text } from "../base/text.ts";
import { EnquirySource } from "./enquiry.ts";

/** Members of every contact form. */
export const enquiryInput = {
  name: Text(120),
  email: Email.nullable().default(null),
  phone: Phone.nullable().default(null),
  message: MultilineText(5_000).nullable().default(null),
  postal_code: PostalCode.nullable().default(null),
  source: EnquirySource.nullable().default(null),
  consent: z
    .boolean()
    .refine((agreed) => agreed, "Please agree that we may contact you.")
    .meta({ description: "Consent to store the data and to be contacted; must be true" }),
  website: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: "Honeypot against bots: hide the field and leave it empty" }),
};

interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** Whether an enquiry has an email or a phone number. It needs at least one of them. */
export const canBeReached = ({ email, phone }: Contact): boolean =>
  email !== null || phone !== null;
/** Built for each call, because Zod removes the message from the options it receives. */
export const unreachable = () => ({
  path: ["email"],
  message: "Give an email or a phone number.",
});

/** The members of an enquiry that staff may change; a note is appended. */
export const enquiryPatch = {
  name: Text(120).optional(),
  email: Email.nullable().optional(),
  phone: Phone.nullable().optional(),
  assignee: Id("stf")
    .nullable()
    .optional()
    .meta({ description: "Id of an active staff user; null removes the assignment" }),
  follow_up_at: NullableTimestamp.optional(),
  notes: MultilineText(5_000)
    .optional()
    .meta({ description: "A note to add; existing notes are kept" }),
  reason: Text(500).optional(),
};
