import * as z from "zod";

/** A change after which an order or a quote may need further documents. The consumer reads the current state. */
export const DocumentChange = z.object({ kind: z.enum(["order", "quote"]), id: z.string() });
export type DocumentChange = z.output<typeof DocumentChange>;

export const DocumentChanges = z.object({ changes: z.array(DocumentChange).min(1) });
export type DocumentChanges = z.output<typeof DocumentChanges>;
