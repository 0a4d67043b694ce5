import { writeFeeds } from "#shared/application/seo/write-feeds.ts";
import type { Deps } from "./deps.ts";

/** Writes the sitemaps and the product feed, if they are a day old or something in them has changed. Safe to repeat. */
export const consume = (_event: unknown, deps: Deps): Promise<void> => writeFeeds(deps);
