import { FeedFiles } from "../../domain/seo/feed-files.ts";
import { entity } from "../entity.ts";

/** The sitemaps and the product feed that were written last. */
export const FeedFileLists = entity({
  name: "feed_files",
  notExported: "derived",
  schema: FeedFiles,
  key: () => ({ pk: "FEEDS", sk: "FILES" }),
});
