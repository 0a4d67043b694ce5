import * as z from "zod";

/** Response of a test mail or test message. It explains a failure in words, so that staff can correct the settings. */
export const testOutcome = <Address extends z.ZodType>(to: Address) =>
  z.object({
    sent: z.boolean(),
    to,
    message: z.string().meta({ description: "The outcome in words" }),
  });
