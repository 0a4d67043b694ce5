import { recordRoutes } from "#functions/record-routes.ts";
import { inputOf, storable } from "#shared/application/content/document-input.ts";
import { rowStore } from "#shared/application/record-store.ts";
import { Announcement } from "#shared/domain/content/content.ts";
import { PublishedAnnouncement } from "#shared/storage/content/content.ts";
import * as z from "zod";
import { contentPermissions, liveDescriptions, withVersion } from "./document-routes.ts";

export const AnnouncementInput = inputOf(Announcement).refine(
  ({ starts_at, ends_at }) => !starts_at || !ends_at || Date.parse(starts_at) < Date.parse(ends_at),
  {
    path: ["ends_at"],
    message: "The ends at field must be a date after starts at.",
  },
);
const example: z.input<typeof AnnouncementInput> = {
  enabled: true,
  text: "Diwali sale: until Sunday",
  link: { label: "See it", href: "/products?tag=sale" },
  theme: "sale",
  starts_at: null,
  ends_at: "2026-11-29T23:59:59+05:30",
};

const unwritten = {
  enabled: false,
  text: "",
  link: null,
  theme: "info",
  starts_at: null,
  ends_at: null,
};

export const routes = recordRoutes({
  single: true,
  path: "/admin/announcement",
  one: "the announcement bar",
  permissions: contentPermissions,
  record: withVersion(Announcement.extend({ text: z.string() })),
  input: AnnouncementInput,
  examples: { record: example },
  descriptions: liveDescriptions,
  store: rowStore({
    entity: PublishedAnnouncement,
    single: { kind: "announcement", unwritten },
    labelOf: () => "Announcement bar",
    content: (sent) => storable(Announcement, sent),
  }),
});
