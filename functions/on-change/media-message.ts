import * as z from "zod";

/** What storage says when an object has arrived in the quarantine. */
const Arrivals = z.object({
  Records: z.array(
    z.object({
      s3: z.object({
        object: z.object({
          /** Encoded as in a form: a space is a plus. */
          key: z.string().transform((key) => decodeURIComponent(key.replaceAll("+", " "))),
          size: z.int(),
        }),
      }),
    }),
  ),
});

/** The row of an upload is gone, so that its files must go as well. */
const Departure = z.object({ gone: z.object({ id: z.string(), files: z.array(z.string()) }) });
export type Departure = z.output<typeof Departure>;

/** Storage's way to say that it may send messages. */
const Greeting = z.object({ Event: z.literal("s3:TestEvent") });

export const MediaMessage = z.union([Arrivals, Departure, Greeting]);
export type MediaMessage = z.output<typeof MediaMessage>;
