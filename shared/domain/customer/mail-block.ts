import * as z from "zod";
import { Email, Timestamp } from "../base/text.ts";

/**
 * Why no mail is sent to an address any more: its mail server refused a mail permanently, or its owner reported one as
 * spam.
 */
export const MailBlockReason = z.enum(["bounced", "complained"]);
export type MailBlockReason = z.output<typeof MailBlockReason>;

/** An email address to which no mail is sent any more. */
export const MailBlock = z.object({ email: Email, reason: MailBlockReason, at: Timestamp });
export type MailBlock = z.output<typeof MailBlock>;
