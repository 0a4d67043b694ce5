import { Busboy } from "@fastify/busboy";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { AppError, invalidField } from "../domain/request/app-error.ts";
import type { BodyForm, FilledForm } from "./route.ts";

/** Allowance for everything in the body but the file: the other fields, boundaries and headers. */
const overheadBytes = 64 * 1024;

/**
 * Accepts `multipart/form-data` with one file named `file` instead of a JSON body. The form's fields become members
 * of the body, and the file adds `filename`, `content_type` and `size`.
 */
export function fileForm(maxFileBytes: number): BodyForm {
  return {
    maxBytes: maxFileBytes + overheadBytes,
    matches: ({ headers }) => /^multipart\/form-data\b/i.test(headers["content-type"] ?? ""),
    read: (event) => filledForm(event, maxFileBytes),
  };
}

/**
 * Parses the form of a request.
 *
 * @throws AppError `malformed_form` when the form is invalid or incomplete, `payload_too_large`, `validation_failed` on
 * `file` unless the form has exactly one file
 */
function filledForm(event: APIGatewayProxyEventV2, fileSize: number): Promise<FilledForm> {
  return new Promise((resolve, reject) => {
    const malformed = (cause: unknown) => reject(new AppError("malformed_form", { cause }));
    let parser: ReturnType<typeof Busboy>;
    try {
      parser = Busboy({
        headers: { ...event.headers, "content-type": event.headers["content-type"] ?? "" },
        limits: { fileSize, files: 2, fields: 20, fieldSize: 4_000, headerPairs: 20 },
      });
    } catch (error) {
      malformed(error);
      return;
    }
    const fields = new Map<string, unknown>();
    const files: { bytes: Buffer<ArrayBuffer>; filename: string; content_type: string }[] = [];

    // oxlint-disable-next-line max-params -- the parser defines the parameters
    parser.on("file", (name, stream, filename, _encoding, content_type) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("limit", () => reject(new AppError("payload_too_large")));
      stream.on("error", malformed);
      stream.on("end", () => {
        if (name !== "file") reject(invalidField(name, `The ${name} field is not allowed.`));
        files.push({ bytes: Buffer.concat(chunks), filename, content_type });
      });
    });
    parser.on("field", (name, value) => fields.set(name, value));
    parser.on("error", malformed);
    parser.on("finish", () => {
      const [file] = files;
      if (!file || files.length > 1) {
        return reject(invalidField("file", "The file field must hold exactly one file."));
      }
      const { bytes, ...said } = file;
      resolve({
        body: { ...Object.fromEntries(fields), ...said, size: bytes.byteLength },
        file: bytes,
      });
    });
    parser.end(Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8"));
  });
}
