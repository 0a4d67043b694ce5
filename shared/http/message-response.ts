import * as z from "zod";

/** A response that contains only a message for people. */
export const MessageResponse = z.object({ message: z.string() });
