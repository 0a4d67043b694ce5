import * as z from "zod";

/** What became of a test; a failure is told in words, because whoever set it up wrongly has to put it right. */
export const testOutcome = <Address extends z.ZodType>(to: Address) =>
  z.object({
    sent: z.boolean(),
    to,
    message: z.string().meta({ description: "The outcome in words" }),
  });
