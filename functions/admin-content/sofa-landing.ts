import { recordRoutes } from "#functions/record-routes.ts";
import { inputOf, storable } from "#shared/application/content/document-input.ts";
import { rowStore } from "#shared/application/record-store.ts";
import { SofaLanding } from "#shared/domain/content/content.ts";
import { PublishedSofaLanding } from "#shared/storage/content/content.ts";
import { contentPermissions, liveDescriptions, withVersion } from "./document-routes.ts";

const example = {
  hero: null,
  intro_html: "<p>Every sofa is built for the person who ordered it.</p>",
  featured: [],
  usps: [{ icon: "truck", title: "Carried in", text: null }],
  seo: { title: "Sofas made to order", description: null },
};

const unwritten = {
  hero: null,
  intro_html: "",
  featured: [],
  usps: [],
  seo: { title: null, description: null },
};

export const routes = recordRoutes({
  single: true,
  path: "/admin/sofa-landing",
  one: "the sofa landing",
  permissions: contentPermissions,
  record: withVersion(SofaLanding),
  input: inputOf(SofaLanding),
  examples: { record: example },
  descriptions: liveDescriptions,
  store: rowStore({
    entity: PublishedSofaLanding,
    single: { kind: "sofa_landing", unwritten },
    labelOf: () => "Sofa landing",
    content: (sent) => storable(SofaLanding, sent),
  }),
});
