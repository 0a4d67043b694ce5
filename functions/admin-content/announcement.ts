import * as z from "zod";
import { Announcement } from "#shared/domain/content/content.ts";
import { PublishedAnnouncement } from "#shared/storage/content/content.ts";
import { put } from "#shared/storage/writes.ts";
import { inputOf } from "#shared/application/content/document-input.ts";
import { publishedDocumentRoutes } from "./live-document.ts";
import { announcementReferencesOf } from "#shared/application/content/content-references.ts";

export const AnnouncementInput = inputOf(Announcement).refine(
  ({ starts_at, ends_at }) => !starts_at || !ends_at || Date.parse(starts_at) < Date.parse(ends_at),
  {
    path: ["ends_at"],
    message: "The ends at field must be a date after starts at.",
  },
);
const example = {
  enabled: true,
  text: "Diwali sale: until Sunday",
  link: { label: "See it", href: "/products?tag=sale" },
  theme: "sale",
  starts_at: null,
  ends_at: "2026-11-29T23:59:59+05:30",
};

export const routes = publishedDocumentRoutes({
  path: "/admin/announcement",
  kind: "announcement",
  what: "announcement bar",
  answer: Announcement.extend({ text: z.string() }),
  content: Announcement,
  input: AnnouncementInput,
  example,
  unwritten: {
    enabled: false,
    text: "",
    link: null,
    theme: "info",
    starts_at: null,
    ends_at: null,
  },
  references: (announcement: Announcement) => announcementReferencesOf(announcement),
  find: (table) => table.get(PublishedAnnouncement, {}),
  put: (announcement: Announcement & { version: number }, condition) =>
    put(PublishedAnnouncement, announcement, condition),
});
