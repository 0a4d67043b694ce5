import { SofaLanding } from "#shared/domain/content.ts";
import { LiveSofaLanding } from "#shared/storage/content.ts";
import { put } from "#shared/storage/writes.ts";
import { inputOf } from "./input.ts";
import { liveDocumentRoutes } from "./live-document.ts";
import { featuredReferencesOf } from "./references.ts";

const example = {
  hero: null,
  intro_html: "<p>Every sofa is built for the person who ordered it.</p>",
  featured: [],
  usps: [{ icon: "truck", title: "Carried in", text: null }],
  seo: { title: "Sofas made to order", description: null },
};

export const routes = liveDocumentRoutes({
  path: "/admin/sofa-landing",
  kind: "sofa_landing",
  what: "sofa landing",
  answer: SofaLanding,
  content: SofaLanding,
  input: inputOf(SofaLanding),
  example,
  unwritten: {
    hero: null,
    intro_html: "",
    featured: [],
    usps: [],
    seo: { title: null, description: null },
  },
  find: (table) => table.get(LiveSofaLanding, {}),
  put: (landing: SofaLanding & { version: number }, condition) =>
    put(LiveSofaLanding, landing, condition),
  references: ({ featured }: SofaLanding) => featuredReferencesOf(featured),
});
