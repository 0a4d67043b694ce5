import * as z from "zod";
import { above, either, every, is } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Write, update } from "./writes.ts";

export const fabricUploadKey = ({ id }: { id: string }) => ({ pk: `UPLOAD#${id}`, sk: "UPLOAD" });

/** The row of an upload as those who hold on to it know it. */
const Held = entity({
  name: "fabric_upload",
  schema: z.object({ status: z.string(), expires_at: z.string().nullable() }),
  key: fabricUploadKey,
});

/** Keeps an upload for good. Refused unless it is ready and has not gone yet. */
export const holdUpload = (id: string, now: Date): Write =>
  update(
    Held,
    { id },
    { set: { expires_at: null }, remove: ["ttl"] },
    every(
      is("status", "ready"),
      either(is("expires_at", null), above("expires_at", now.toISOString())),
    ),
  );
