import * as z from "zod";

/** Outcome of a test. A failure is explained in words, so that the person who set it up can fix it. */
export const testOutcome = <Address extends z.ZodType>(to: Address) =>
  z.object({
    sent: z.boolean(),
    to,
    message: z.string().meta({ description: "The outcome in words" }),
  });
