import { Timestamp } from "./text.ts";

/** In UTC, so that equal times are equal texts and earlier ones sort first. */
export const UtcTime = Timestamp.overwrite((at) => new Date(at).toISOString());

const time = UtcTime.nullable().default(null);

/** When the schedule publishes a draft, and when it takes the published copy down; null: only by hand. */
export const publicationTimes = { publish_at: time, unpublish_at: time };

export interface PublicationTimes {
  publish_at: Timestamp | null;
  unpublish_at: Timestamp | null;
}
