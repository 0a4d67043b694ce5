import * as z from "zod";

/** A sentence for people, where there is nothing else to say. */
export const Told = z.object({ message: z.string() });
