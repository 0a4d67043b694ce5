import * as z from "zod";
import { maxReceivedBytes } from "../domain/inbox/message-media.ts";
import { timeoutOf } from "../runtime/timeouts.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { WhatsAppRefusal, type WhatsAppAccount, cloudApi, passingCodes } from "./whatsapp.ts";

/** A received file, or why it cannot be fetched. */
export type FetchedFile =
  | { readonly kind: "fetched"; readonly bytes: Uint8Array; readonly content_type: string }
  | { readonly kind: "refused"; readonly reason: "too_large" | "unavailable" };

/**
 * Fetches a file by WhatsApp's id.
 *
 * @throws Unavailable when WhatsApp does not answer, or reports a temporary error
 */
export type FetchFile = (account: WhatsAppAccount, id: string) => Promise<FetchedFile>;

/** The host of Meta's files. The access token is sent to no other host, even if a response contains another URL. */
const fileHost = "https://lookaside.fbsbx.com";
const answerMs = 6_000;
const fileMs = 30_000;

const FileInfo = z.object({
  url: z.url(),
  mime_type: z.string(),
  file_size: z.coerce.number().optional(),
});

/**
 * Opens the download of files from WhatsApp's Cloud API.
 *
 * @param options.apiUrl replaces Meta's API and file hosts; no slash at the end
 */
export function openWhatsAppFiles(options: { apiUrl?: string | undefined }): FetchFile {
  const { apiUrl = cloudApi } = options;
  const trusted = new URL(options.apiUrl ?? fileHost).origin;
  const unavailable = { kind: "refused", reason: "unavailable" } as const;
  const tooLarge = { kind: "refused", reason: "too_large" } as const;

  return async ({ access_token, api_version }, id) => {
    // The id becomes part of a URL, so other characters are refused.
    if (!/^[A-Za-z0-9_-]+$/.test(id)) return unavailable;
    const about = await get(`${apiUrl}/${api_version}/${id}`, access_token, answerMs);
    const info = FileInfo.safeParse(await jsonOf(about)).data;
    if (about.status === 400 || about.status === 404) return unavailable;
    if (!about.ok || !info) throw new Unavailable(`WhatsApp answered ${about.status}`);
    if (new URL(info.url).origin !== trusted) return unavailable;
    if ((info.file_size ?? 0) > maxReceivedBytes) return tooLarge;

    // URLs expire after five minutes. A later attempt requests a new one.
    const file = await get(info.url, access_token, fileMs);
    if (!file.ok || !file.body) {
      await file.body?.cancel();
      throw new Unavailable(`WhatsApp answered ${file.status} for a file`);
    }
    const bytes = await boundedBytes(file.body);
    const content_type = info.mime_type.split(";")[0]?.trim().toLowerCase() ?? "";
    return bytes ? { kind: "fetched", bytes, content_type } : tooLarge;
  };
}

async function get(url: string, token: string, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutOf(timeoutMs)),
    });
  } catch (cause) {
    throw new Unavailable("WhatsApp did not answer", { cause });
  }
}

/**
 * The JSON body of a response; undefined if it is not JSON. @throws Unavailable when the body reports a temporary error
 */
async function jsonOf(answer: Response): Promise<unknown> {
  const body: unknown = await answer.json().catch(() => undefined);
  const error = WhatsAppRefusal.safeParse(body).data?.error;
  if (error && passingCodes.has(error.code)) {
    throw new Unavailable(`WhatsApp answered ${answer.status}, code ${error.code}`);
  }
  return body;
}

/** The bytes of a body; undefined if they exceed the limit. */
async function boundedBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of body) {
      length += part.byteLength;
      if (length > maxReceivedBytes) return undefined;
      parts.push(part);
    }
  } catch (cause) {
    throw new Unavailable("WhatsApp closed the connection", { cause });
  }
  return Buffer.concat(parts);
}
