import * as z from "zod";
import { EnquiryNote, EnquiryReference } from "./enquiry.ts";

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
