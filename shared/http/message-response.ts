import * as z from "zod";

/** A response with nothing but a message for people. */
export const MessageResponse = z.object({ message: z.string() });
