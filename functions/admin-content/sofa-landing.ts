import { SofaLanding } from "#shared/domain/content/content.ts";
import { PublishedSofaLanding } from "#shared/storage/content/content.ts";
import { put } from "#shared/storage/writes.ts";
import { inputOf } from "#shared/application/content/document-input.ts";
import { publishedDocumentRoutes } from "./live-document.ts";
import { pictureReferences } from "#shared/application/pictures.ts";
import { featuredReferencesOf } from "#shared/application/content/content-references.ts";

const example = {
  hero: null,
  intro_html: "<p>Every sofa is built for the person who ordered it.</p>",
  featured: [],
  usps: [{ icon: "truck", title: "Carried in", text: null }],
  seo: { title: "Sofas made to order", description: null },
};

export const routes = publishedDocumentRoutes({
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
  find: (table) => table.get(PublishedSofaLanding, {}),
  put: (landing: SofaLanding & { version: number }, condition) =>
    put(PublishedSofaLanding, landing, condition),
  references: ({ hero, featured }: SofaLanding) => [
    ...pictureReferences({ hero }),
    ...featuredReferencesOf(featured),
  ],
});
