import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import type { BucketOptions } from "#shared/files/s3.ts";
import type { Queue } from "#shared/queues/queue.ts";
import { refusalOfForm } from "./upload-policy.ts";

/**
 * Accepts signed upload forms instead of the S3 emulator, which does not check them. Sends a message for each object,
 * as S3's notifications do.
 */
export function uploadFront(storage: BucketOptions, queue: Pick<Queue, "send">) {
  const { bucket } = storage;
  const store = storeIn(storage);

  async function take(request: IncomingMessage): Promise<{ status: number; code?: string }> {
    const body = await buffer(request);
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(body, { headers }).formData().catch(() => undefined);
    const file = form?.get("file");
    if (!form || !(file instanceof Blob)) return { status: 400, code: "MalformedPOSTRequest" };

    const fields = new Map(
      [...form].flatMap(([name, value]) =>
        typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
      ),
    );
    const refusal = await refusalOfForm(fields, { bucket, size: file.size, now: new Date() });
    if (refusal) return refusal;
    const key = fields.get("key") ?? "";
    const bytes = new Uint8Array(await file.arrayBuffer());
    await store(key, bytes, fields.get("content-type") ?? "application/octet-stream");
    const arrival = {
      Records: [
        {
          eventSource: "aws:s3",
          eventName: "ObjectCreated:Post",
          s3: {
            bucket: { name: bucket },
            object: { key: encodeURIComponent(key).replaceAll("%2F", "/"), size: file.size },
          },
        },
      ],
    };
    // Like S3's own messages, this message names no cause.
    await queue.send([arrival], { causes: [{}] });
    return { status: 204 };
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    corsHeaders: readonly string[],
  ): Promise<void> {
    const { status, code } = await take(request);
    const type = code === undefined ? [] : ["content-type", "application/xml"];
    response.writeHead(status, [...type, ...corsHeaders]);
    response.end(code && `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  }

  return (...call: Parameters<typeof answer>): void => {
    const [, response] = call;
    answer(...call).catch(() => response.destroy());
  };
}

/** The emulator accepts at most 11 MiB in one call; larger objects need parts. */
const partBytes = 8 * 1024 * 1024;

function storeIn(storage: BucketOptions) {
  const objects = openObjectStore(storage);
  const growing = openGrowingObjects(storage);
  return async (key: string, bytes: Uint8Array, contentType: string): Promise<void> => {
    if (bytes.byteLength <= partBytes) return objects.put(key, bytes, contentType);
    const upload = await growing.begin(key, contentType);
    const etags: string[] = [];
    for (let start = 0; start < bytes.byteLength; start += partBytes) {
      const part = bytes.subarray(start, start + partBytes);
      etags.push(await growing.addPart(key, upload, etags.length + 1, part));
    }
    await growing.complete(key, upload, etags);
  };
}
