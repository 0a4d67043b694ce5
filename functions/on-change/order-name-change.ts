import * as z from "zod";

/** Message with ids of orders on which a name was added or changed. The consumer reads the current names. */
export const OrderNameChanges = z.object({ changes: z.array(z.object({ id: z.string() })).min(1) });
export type OrderNameChanges = z.output<typeof OrderNameChanges>;
