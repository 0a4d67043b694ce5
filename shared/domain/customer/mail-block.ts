import * as z from "zod";
import { Email, Timestamp } from "../base/text.ts";

/** Why an address is no longer mailed: its server refused a mail permanently, or its owner reported one as spam. */
export const MailBlockReason = z.enum(["bounced", "complained"]);
export type MailBlockReason = z.output<typeof MailBlockReason>;

/** An address that is no longer mailed. */
export const MailBlock = z.object({ email: Email, reason: MailBlockReason, at: Timestamp });
export type MailBlock = z.output<typeof MailBlock>;
