import { createHmac, hash } from "node:crypto";

/** In whose name AWS is called, and where. */
export interface Identity {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Comes with keys that expire, such as those of a function's role. */
  readonly sessionToken?: string | undefined;
}

export interface AwsRequest {
  readonly method: "GET" | "POST";
  /** Without a query; its path percent-encoded once. */
  readonly url: URL;
  /** Named in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const algorithm = "AWS4-HMAC-SHA256";

/** The headers of a request and those that make it one of the caller's: AWS Signature Version 4. */
export function signedHeaders(
  { method, url, headers, body = "" }: AwsRequest,
  service: string,
  { region, accessKeyId, secretAccessKey, sessionToken }: Identity,
  now: Date,
): Record<string, string> {
  const time = signatureTime(now);
  const bodyHash = hash("sha256", body);
  const sent: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-content-sha256": bodyHash,
    "x-amz-date": time,
    ...(sessionToken && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(sent).toSorted();
  const signed = names.join(";");
  const lines = names.map((name) => `${name}:${sent[name]}\n`).join("");
  const request = `${method}\n${url.pathname}\n\n${lines}\n${signed}\n${bodyHash}`;

  const scope = signatureScope(time, region, service);
  const signature = requestSignature(request, time, scope, secretAccessKey);
  return {
    ...sent,
    authorization: `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}

/** `20261121T090000Z` */
export const signatureTime = (now: Date): string =>
  now.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");

/** What a signature is good for: a day, a region and a service. */
export const signatureScope = (time: string, region: string, service: string): string =>
  `${time.slice(0, 8)}/${region}/${service}/aws4_request`;

/** The signature of a request in its canonical form. */
export function requestSignature(
  request: string,
  time: string,
  scope: string,
  secretAccessKey: string,
): string {
  const text = `${algorithm}\n${time}\n${scope}\n${hash("sha256", request)}`;
  return signatureOf(text, scope, secretAccessKey);
}

/** The signature of a text by the key that the secret has for a scope. */
export const signatureOf = (text: string, scope: string, secretAccessKey: string): string =>
  hmac(signingKey(scope, secretAccessKey), text).toString("hex");

/** A key takes as much as all else of a signature together, and serves for a day. */
const signingKeys = new Map<string, Buffer>();
/** A function talks to a few services. */
const keptKeys = 16;

function signingKey(scope: string, secretAccessKey: string): Buffer {
  const name = `${scope} ${secretAccessKey}`;
  const known = signingKeys.get(name);
  if (known) return known;
  const [date = "", ...rest] = scope.split("/");
  const key = rest.reduce(hmac, hmac(`AWS4${secretAccessKey}`, date));
  if (signingKeys.size >= keptKeys) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
