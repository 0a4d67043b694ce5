import * as z from "zod";
import { above, below, either, every, is } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Write, update } from "./writes.ts";

export const fabricUploadKey = ({ id }: { id: string }) => ({ pk: `UPLOAD#${id}`, sk: "UPLOAD" });

/** The row of an upload as those who hold on to it know it. */
const Held = entity({
  name: "fabric_upload",
  schema: z.object({ status: z.string(), expires_at: z.string().nullable() }),
  key: fabricUploadKey,
});

const forGood = { set: { expires_at: null }, remove: ["ttl"] } as const;

/** Keeps an upload for good. Refused unless it is ready and has not gone yet. */
export const holdUpload = (id: string, now: Date): Write =>
  update(
    Held,
    { id },
    forGood,
    every(
      is("status", "ready"),
      either(is("expires_at", null), above("expires_at", now.toISOString())),
    ),
  );

/** Keeps an upload for good that something held until now. Refused when its row is gone. */
export const keepUpload = (id: string): Write =>
  update(Held, { id }, forGood, is("status", "ready"));

/** Keeps an upload until then. Refused unless it is ready and would go, but has not gone, before. */
export const holdUploadUntil = (id: string, until: string, now: Date): Write =>
  update(
    Held,
    { id },
    { set: { expires_at: until, ttl: Math.ceil(Date.parse(until) / 1000) } },
    every(
      is("status", "ready"),
      above("expires_at", now.toISOString()),
      below("expires_at", until),
    ),
  );

/** Whether `holdUploadUntil` was refused because the upload stays as long anyway. */
export function staysUntil(found: Record<string, unknown> | undefined, until: string): boolean {
  const { status, expires_at } = (found ?? {}) as Partial<z.output<typeof Held.schema>>;
  return status === "ready" && (expires_at === null || (expires_at ?? "") >= until);
}
