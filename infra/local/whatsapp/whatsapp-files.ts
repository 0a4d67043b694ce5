import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { localWhatsApp } from "./whatsapp-keys.ts";

interface KeptFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** URL that WhatsApp reports for the file, if it is not the emulator's own. */
  readonly url: string | null;
}

export interface WhatsAppFiles {
  /** Handles a request if it is about files. @returns whether the request was handled */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/**
 * The files of the WhatsApp emulator. `PUT /files/{id}` stores one as if a customer had sent it; `?url=` sets the URL
 * that WhatsApp reports for it. `GET /{version}/{id}` returns its URL and `GET /files/{id}` its content. Both require
 * the account's token, as at Meta.
 */
export function whatsAppFiles(baseUrl: string): WhatsAppFiles {
  const files = new Map<string, KeptFile>();
  return {
    async answer(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? "/", baseUrl);
      const [first = "", id = "", ...more] = pathname.slice(1).split("/");
      const isAbout = request.method === "GET" && /^v\d/.test(first);
      if (id === "" || more.length > 0 || (first !== "files" && !isAbout)) return false;
      if (first === "files" && request.method === "PUT") {
        const contentType = request.headers["content-type"] ?? "application/octet-stream";
        const bytes = await buffer(request);
        files.set(id, { bytes, contentType, url: searchParams.get("url") });
        response.writeHead(204).end();
        return true;
      }
      if (request.headers.authorization !== `Bearer ${localWhatsApp.access_token}`) {
        refuse(response, 401, 190, "Invalid OAuth access token.");
        return true;
      }
      const file = files.get(id);
      if (!file) refuse(response, 400, 100, "Unsupported get request. Object does not exist.");
      else if (isAbout) {
        const url = file.url ?? `${baseUrl}/files/${id}`;
        const size = file.bytes.byteLength;
        const about = { url, mime_type: file.contentType, file_size: String(size), id };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ messaging_product: "whatsapp", ...about }));
      } else response.writeHead(200, { "content-type": file.contentType }).end(file.bytes);
      return true;
    },
  };
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "OAuthException", code } }));
}
