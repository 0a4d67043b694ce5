import * as z from "zod";
import { Id } from "#shared/domain/base/ids.ts";

/** Message with ids of erased customers, to be added to the ledger of erased customers outside the table. */
export const ErasedIdChanges = z.object({ changes: z.array(z.object({ id: Id("cus") })).min(1) });
export type ErasedIdChanges = z.output<typeof ErasedIdChanges>;
