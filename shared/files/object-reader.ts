import { awsService } from "../runtime/aws-service.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/** Throws Unavailable when the object cannot be had now, Error when there is none that this function may read. */
export type ReadObject = (key: string) => Promise<Uint8Array>;

/** Reads objects of one bucket, for functions that keep none. */
export function openObjectReader(options: {
  bucket: string;
  endpoint?: string | undefined;
}): ReadObject {
  const { bucket, endpoint } = options;
  const storage = awsService("s3", (region) =>
    endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`,
  );
  return async (key) => {
    const { status, body } = await storage({ method: "GET", path: `/${encodedKey(key)}` });
    if (status === 200) return body;
    const cause = new Error(`Object storage answered ${status} for ${key}`);
    // S3 says 404 only to those who may list the bucket.
    if (status === 404 || status === 403) throw cause;
    throw new Unavailable("Object storage did not answer", { cause });
  };
}

/** S3 signs every character but those of RFC 3986's unreserved ones in its percent-encoded form. */
function encodedKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replaceAll(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
}
