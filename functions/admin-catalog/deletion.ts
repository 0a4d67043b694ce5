import { byId, ifMatch } from "#shared/http/one-record.ts";
import { staff } from "#shared/http/route.ts";

/** What all DELETE routes of publishable records have in common. */
export const deletion = (what: string) =>
  ({
    method: "DELETE",
    summary: `Delete a ${what}`,
    description: "Archives it if it was ever published; deletes a draft that was never published.",
    access: staff("catalog.delete"),
    request: { params: byId, headers: ifMatch },
    response: { status: 204 },
    errors: ["in_use", "version_mismatch"],
  }) as const;
