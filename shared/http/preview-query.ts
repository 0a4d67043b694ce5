import * as z from "zod";

/** The query of a route that can also answer with a draft. */
export const PreviewQuery = z.strictObject({
  preview: z
    .string()
    .max(255)
    .optional()
    .meta({
      param: { id: "Preview" },
      description:
        "Token of a preview link. Returns the draft, published or not, until the link expires; " +
        "then 404. The response is private",
    }),
});
