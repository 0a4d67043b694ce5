import * as z from "zod";

/** A response with nothing but a message for people. */
export const Told = z.object({ message: z.string() });
