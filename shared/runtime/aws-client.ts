/**
 * What every SDK client is made with: bounded waits, three attempts, kept connections.
 * An endpoint on this machine is an emulator and gets made-up credentials.
 */
export function clientDefaults(endpoint?: string) {
  const local = endpoint !== undefined && isLoopback(endpoint);
  return {
    maxAttempts: 3,
    // With methods, the SDK would copy every request and answer for a logger that drops them.
    logger: {} as Console,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(local && {
      region: "local",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    }),
  };
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
