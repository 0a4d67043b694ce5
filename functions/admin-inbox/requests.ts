import * as z from "zod";
import { IfMatch } from "#shared/http/if-match.ts";

/** An id that nothing has is a 404, whatever it looks like. */
export const byId = z.object({ id: z.string().max(60) });
export const ifMatch = z.object({ "if-match": IfMatch });
