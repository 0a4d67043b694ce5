// Generated from the entity declarations in this folder by `npm run generate`; do not edit.

/** The names of the entities whose records show pictures of the media library. */
export const picturedNames = [
  "categories",
  "home",
  "material",
  "page",
  "product",
  "published_home",
  "published_material",
  "published_page",
  "published_product",
  "published_sofa",
  "published_sofa_landing",
  "published_story",
  "sofa",
  "story",
] as const;

/** The prefixes of their partitions, up to the first `#`. */
export const picturedPartitions = [
  "HOME",
  "LIVE#",
  "MATERIAL#",
  "PAGE#",
  "PRODUCT#",
  "SOFA#",
  "STORY#",
] as const;
