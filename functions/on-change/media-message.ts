import * as z from "zod";

/** S3's event for a new object in the quarantine bucket. */
const Arrivals = z.object({
  Records: z.array(
    z.object({
      s3: z.object({
        object: z.object({
          /** Form-encoded: a plus is a space. */
          key: z.string().transform((key) => decodeURIComponent(key.replaceAll("+", " "))),
          size: z.int(),
        }),
      }),
    }),
  ),
});

/** The row of an upload was deleted, so its files must be deleted as well. */
const Departure = z.object({ gone: z.object({ id: z.string(), files: z.array(z.string()) }) });
export type Departure = z.output<typeof Departure>;

/** S3's test event when notifications are set up. */
const Greeting = z.object({ Event: z.literal("s3:TestEvent") });

export const MediaMessage = z.union([Arrivals, Departure, Greeting]);
export type MediaMessage = z.output<typeof MediaMessage>;
