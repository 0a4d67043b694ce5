/**
 * The table's attributes and indexes, used by CDK and the local stack. Keys are strings, both indexes project all
 * attributes, and the stream carries new and old images.
 */
export const tableDefinition = {
  partitionKey: "pk",
  sortKey: "sk",
  indexes: [
    { name: "gsi1", partitionKey: "gsi1pk", sortKey: "gsi1sk" },
    { name: "gsi2", partitionKey: "gsi2pk", sortKey: "gsi2sk" },
  ],
  /** Unix seconds after which an item counts as expired. */
  timeToLive: "ttl",
} as const;
