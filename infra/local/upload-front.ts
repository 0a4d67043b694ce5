import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { ObjectStore } from "#shared/files/object-store.ts";
import type { Queue } from "#shared/queues/queue.ts";
import { refusalOfForm } from "./upload-policy.ts";

/**
 * Takes signed forms in place of S3, whose emulator believes any of them, and tells a queue of each object as S3's
 * notifications do.
 */
export function uploadFront(objects: ObjectStore, queue: Pick<Queue, "send">, bucket: string) {
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
    const refusal = refusalOfForm(fields, { bucket, size: file.size, now: new Date() });
    if (refusal) return refusal;
    const key = fields.get("key") ?? "";
    const bytes = new Uint8Array(await file.arrayBuffer());
    await objects.put(key, bytes, fields.get("content-type") ?? "application/octet-stream");
    await queue.send([
      {
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
      },
    ]);
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

  return (...given: Parameters<typeof answer>): void => {
    answer(...given).catch(() => given[1].destroy());
  };
}
