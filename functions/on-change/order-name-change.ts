import * as z from "zod";

/** Names orders that have other names than before; which these are is read when the message is worked on. */
export const OrderNameChanges = z.object({ changes: z.array(z.object({ id: z.string() })).min(1) });
export type OrderNameChanges = z.output<typeof OrderNameChanges>;
