import * as z from "zod";
import { IfMatch } from "./if-match.ts";

/** The path of one record. An id that nothing has is a 404, whatever it looks like. */
export const byId = z.object({ id: z.string().max(80) });
/** What a write of one record may carry. */
export const ifMatch = z.object({ "if-match": IfMatch });
