import * as z from "zod";
import { LimitedString } from "../domain/base/text.ts";
import { IfMatch } from "./if-match.ts";

/** The path of one record. An unknown id gives a 404, even if it does not have the format of an id. */
export const byId = z.object({
  id: LimitedString(80).refine(
    (id) => id.includes("_"),
    "This is no id. The id of a record looks like prd_01JD…",
  ),
});
/** The headers of a write to one record. */
export const ifMatch = z.object({ "if-match": IfMatch });
