/**
 * The one table's attributes and indexes, as CDK deploys them and the local stack creates them.
 * Keys are strings; both indexes project every attribute; the stream carries new and old images.
 */
export const tableDefinition = {
  partitionKey: "pk",
  sortKey: "sk",
  indexes: [
    { name: "gsi1", partitionKey: "gsi1pk", sortKey: "gsi1sk" },
    { name: "gsi2", partitionKey: "gsi2pk", sortKey: "gsi2sk" },
  ],
  /** Seconds since 1970 after which an item counts as gone. */
  timeToLive: "ttl",
} as const;
