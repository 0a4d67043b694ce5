import * as z from "zod";

/** S3's event for a new object in the quarantine bucket. */
const ObjectsCreated = z.object({
  Records: z.array(
    z.object({
      s3: z.object({
        object: z.object({
          /** S3 sends the key form-encoded: a plus is a space. */
          key: z.string().transform((key) => decodeURIComponent(key.replaceAll("+", " "))),
          size: z.int(),
        }),
      }),
    }),
  ),
});

/** The row of an upload was deleted: its files must be deleted, too. */
const UploadDeleted = z.object({ gone: z.object({ id: z.string(), files: z.array(z.string()) }) });
export type UploadDeleted = z.output<typeof UploadDeleted>;

/** The test event that S3 sends when notifications are set up. */
const TestEvent = z.object({ Event: z.literal("s3:TestEvent") });

export const MediaMessage = z.union([ObjectsCreated, UploadDeleted, TestEvent]);
export type MediaMessage = z.output<typeof MediaMessage>;
