import * as z from "zod";
import { importedRows } from "#infra/cli/import/imported-rows.ts";
import type { Announcement, Faqs, Menus, SofaLanding } from "#shared/domain/content/content.ts";
import { type Home, publishHome } from "#shared/domain/content/home.ts";
import type { InteriorStory } from "#shared/domain/content/interior-story.ts";
import type { Page } from "#shared/domain/content/page.ts";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import { exportedRecords } from "#shared/domain/export/exported-records.ts";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import { MediaAddress } from "#shared/domain/upload/media.ts";
import type { MediaItem } from "#shared/domain/upload/media-item.ts";
import { type DemoCatalog, demoCatalog } from "./catalog.ts";
import { demoCoupons } from "./data/coupons.ts";
import { demoSettings } from "./data/settings.ts";
import { asOf, readExport } from "./exported.ts";

interface Versioned {
  version: number;
}

/** A file that is ready, as all files of the demo shop are. */
export interface DemoMedia extends MediaItem {
  url: MediaAddress;
}

interface DemoContent {
  pages: Page[];
  stories: InteriorStory[];
  home: Home;
  faqs: Faqs;
  menus: Menus & Versioned;
  announcement: Announcement & Versioned;
  redirects: Redirect[];
  sofaLanding: SofaLanding & Versioned;
}

/** Every record of the demo shop as staff would have left it. `readMedia` returns the bytes of a media item. */
export interface DemoShop extends DemoCatalog, DemoContent {
  media: DemoMedia[];
  coupons: Coupon[];
  settings: AllSettings;
}

/** The demo shop. It is the same at every call, except for dates, which are relative to `now`. */
export async function demoShop(now: Date): Promise<DemoShop> {
  return {
    ...(await demoCatalog(now)),
    ...(await demoContent(now)),
    media: await demoMedia(),
    coupons: demoCoupons(now),
    settings: demoSettings,
  };
}

async function demoContent(now: Date): Promise<DemoContent> {
  const { records, exportedAt } = await readExport("content", importedRows.content);
  const current = asOf(now, exportedAt);
  const draftOf = <Row extends { published_copy: object | null }>(row: Row) => {
    const { published_copy, ...draft } = row;
    if (published_copy) throw new RangeError("The planter publishes drafts, and takes no copy.");
    return current(draft);
  };
  return {
    stories: records.story.map(draftOf),
    pages: records.page.map(draftOf),
    home: publishHome(draftOf(only(records.home))),
    faqs: only(records.faqs),
    sofaLanding: only(records.sofa_landing),
    menus: only(records.menus),
    announcement: current(only(records.announcement)),
    redirects: only(records.redirects).redirects,
  };
}

function only<Row>([row, ...others]: readonly Row[]): Row {
  if (row === undefined || others.length > 0)
    throw new RangeError("Each document without an id must be in the export once.");
  return row;
}

const MediaRow = z.strictObject({ ...exportedRecords.media.media.shape, url: MediaAddress });

async function demoMedia(): Promise<DemoMedia[]> {
  const { records } = await readExport("media", { media: MediaRow });
  return records.media.map(({ used_in: _uses, ...item }) => ({ ...item, deleted_at: null }));
}
