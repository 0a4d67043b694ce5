import { picturedPartitions } from "./pictured-entities.ts";

/** The items whose changes the stream's reader passes on, by prefixes of `pk`. Each names the cause of its last write. */
export const streamed = {
  partitions: [
    ...picturedPartitions,
    "STOCK#",
    "MEDIA#",
    "UPLOAD#",
    "ORDER#",
    "LEAD#",
    "QUOTE#",
    "CONVERSATION#",
    "SETTINGS",
  ],
  /** New items only: later changes of these are not passed on. */
  newIn: ["OUTBOX#", "EVENT#"],
} as const;

const beginnings: readonly string[] = [...streamed.partitions, ...streamed.newIn];

export const isStreamed = (pk: string): boolean =>
  beginnings.some((beginning) => pk.startsWith(beginning));
