import { ownIdentity } from "../runtime/aws-service.ts";
import {
  type Identity,
  algorithm,
  requestSignature,
  signatureScope,
  signatureTime,
} from "../runtime/signature.ts";

interface LinkedObject {
  /** Of the object, its path percent-encoded once. */
  readonly url: URL;
  readonly lifetimeSeconds: number;
  /** What storage says of the file in place of what it was stored with. */
  readonly filename?: string;
}

/** An address that whoever has it may read one object at, until it expires: AWS Signature Version 4 in a query. */
export function signedLink(
  { url, lifetimeSeconds, filename }: LinkedObject,
  { region, accessKeyId, secretAccessKey, sessionToken }: Identity,
  now: Date,
): string {
  const time = signatureTime(now);
  const scope = signatureScope(time, region, "s3");
  const members: Record<string, string> = {
    "X-Amz-Algorithm": algorithm,
    "X-Amz-Credential": `${accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(lifetimeSeconds),
    "X-Amz-SignedHeaders": "host",
    ...(sessionToken && { "X-Amz-Security-Token": sessionToken }),
    ...(filename !== undefined && {
      "response-content-disposition": `attachment; filename="${filename}"`,
    }),
  };
  const query = Object.entries(members)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
  const request = `GET\n${url.pathname}\n${query}\nhost:${url.host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const signature = requestSignature(request, time, scope, secretAccessKey);
  return `${url.origin}${url.pathname}?${query}&X-Amz-Signature=${signature}`;
}

/** AWS signs every character but the unreserved ones of RFC 3986 in its percent-encoded form. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Makes links to objects of one bucket, in this function's own name. */
export type LinkTo = (
  key: string,
  link: { filename: string; lifetimeSeconds: number; now: Date },
) => string;

/** Nothing is sent: a link is made of what the function knows of itself. */
export function openLinks(options: { bucket: string; endpoint?: string | undefined }): LinkTo {
  const { bucket, endpoint } = options;
  return (key, { now, ...link }) => {
    const identity = ownIdentity(endpoint);
    const base = endpoint
      ? `${endpoint}/${bucket}`
      : `https://${bucket}.s3.${identity.region}.amazonaws.com`;
    return signedLink({ url: new URL(`${base}/${key}`), ...link }, identity, now);
  };
}
