import { Timestamp } from "./text.ts";

/** A time in UTC, so that equal times are equal texts and texts sort by time. */
export const UtcTime = Timestamp.overwrite((at) => new Date(at).toISOString());

const time = UtcTime.nullable().default(null);

/** When the schedule publishes the draft, and when it removes the published copy; null if no time is set. */
export const publicationTimes = { publish_at: time, unpublish_at: time };

export interface PublicationTimes {
  publish_at: Timestamp | null;
  unpublish_at: Timestamp | null;
}
