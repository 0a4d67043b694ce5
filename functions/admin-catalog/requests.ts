import * as z from "zod";
import { IfMatch } from "#shared/http/if-match.ts";
import { staff } from "#shared/http/route.ts";

/** An id that nothing has is a 404, whatever it looks like. */
export const byId = z.object({ id: z.string().max(60) });
export const ifMatch = z.object({ "if-match": IfMatch });

/** What every DELETE of a publishable record declares. */
export const deletion = (what: string) =>
  ({
    method: "DELETE",
    summary: `Delete a ${what}`,
    description: "What was ever public is archived; a draft that never was goes for good.",
    access: staff("catalog.delete"),
    request: { params: byId, headers: ifMatch },
    response: { status: 204 },
    errors: ["in_use", "version_mismatch"],
  }) as const;
