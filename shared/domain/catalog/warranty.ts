import * as z from "zod";
import { Text } from "../base/text.ts";

/** How long the shop warrants a component of an item. */
export const Warranty = z.strictObject({
  component: Text(80),
  months: z.int().min(1).max(600),
});
export type Warranty = z.output<typeof Warranty>;
