// Loaded by the commands that call the deployment: names that only AWS's DNS resolves lead to MiniStack.
const dns = require("node:dns");

const { lookup } = dns;
const isMiniStack = (host) => /\.(?:localhost|cloudfront\.net|amazonaws\.com)$/.test(host);

dns.lookup = (host, ...rest) => {
  if (!isMiniStack(host)) return lookup(host, ...rest);
  const callback = rest.at(-1);
  const address = { address: "127.0.0.1", family: 4 };
  if (rest[0].all) process.nextTick(callback, null, [address]);
  else process.nextTick(callback, null, address.address, address.family);
};

// MiniStack's CloudFront has no TLS. It reads the viewer's protocol from a header.
const { fetch: send } = globalThis;
globalThis.fetch = (input, init) => {
  const url = new URL(input.url ?? input);
  if (!url.hostname.endsWith(".cloudfront.net")) return send(input, init);
  url.protocol = "http:";
  url.port = new URL(process.env.AWS_ENDPOINT_URL).port;
  const request = new Request(input, init);
  const headers = new Headers(request.headers);
  headers.set("x-forwarded-proto", "https");
  return send(new Request(url, new Request(request, { headers })));
};
