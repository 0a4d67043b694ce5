import * as z from "zod";
import { Email, Timestamp } from "../base/text.ts";

/** An email address whose owner has opened a link that was mailed to it. */
export const ProvenEmail = z.object({ email: Email, proven_at: Timestamp });
