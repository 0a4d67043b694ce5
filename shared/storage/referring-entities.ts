// Generated from the entity declarations in this folder by `npm run generate`; do not edit.

import type { Entity } from "./entity.ts";
import { Products, PublishedSofas, Sofas } from "./catalog/catalog.ts";
import { HomeDrafts } from "./content/content-edits.ts";
import {
  Pages,
  PublishedAnnouncement,
  PublishedHome,
  PublishedMenus,
  PublishedSofaLanding,
  Stories,
} from "./content/content.ts";
import { RedirectRows } from "./content/redirects.ts";
import { Coupons } from "./pricing/coupons.ts";

/** The entities whose records refer to others. */
export const referringEntities: readonly Entity[] = [
  Products,
  PublishedSofas,
  Sofas,
  HomeDrafts,
  Pages,
  PublishedAnnouncement,
  PublishedHome,
  PublishedMenus,
  PublishedSofaLanding,
  Stories,
  RedirectRows,
  Coupons,
];
