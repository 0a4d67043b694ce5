import * as z from "zod";
import { IfMatch } from "./if-match.ts";

/** The path of one record. An unknown id is a 404, whatever its format. */
export const byId = z.object({ id: z.string().max(80) });
/** The headers of a write to one record. */
export const ifMatch = z.object({ "if-match": IfMatch });
