/**
 * AWS's public on-demand prices of us-east-1 in USD, without the free tier, as listed in mid-2025. Prices change and
 * differ by region: check them before a decision depends on them.
 */
export const prices = {
  region: "us-east-1",
  as_of: "2025-06",
  currency: "USD",
  million: {
    httpApiCalls: 1,
    lambdaCalls: 0.2,
    readUnits: 0.125,
    writeUnits: 0.625,
    queueRequests: 0.4,
    objectReads: 0.4,
    objectWrites: 5,
    mails: 100,
    traces: 5,
    cdnCalls: 1,
    firewallCalls: 0.6,
  },
  /** The price of a GB-second of a function on x86-64. */
  lambdaGbSecond: 0.0000166667,
  gb: {
    logsTaken: 0.5,
    sentByApi: 0.09,
    sentByCdn: 0.085,
    tableMonth: 0.25,
    tableBackupMonth: 0.2,
  },
  month: { alarm: 0.1, dashboard: 3, secret: 0.4, firewall: 5, firewallRule: 1 },
} as const;
