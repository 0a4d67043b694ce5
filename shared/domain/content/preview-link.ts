import * as z from "zod";
import { Timestamp } from "../base/text.ts";

/** A link that shows a draft. */
export const PreviewLink = z.object({
  url: z.string().meta({
    description: "The storefront's page of the record, with the link's token as `preview`",
    example: "https://www.example.com/pages/about-us?preview=…",
  }),
  expires_at: Timestamp,
});
export type PreviewLink = z.output<typeof PreviewLink>;
