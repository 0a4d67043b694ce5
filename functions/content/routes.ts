import { getBootstrap } from "./bootstrap.ts";
import { getFaqs } from "./faqs.ts";
import { getHealth } from "./health.ts";
import { getHome } from "./home.ts";
import { getInterior, listInteriors } from "./interiors.ts";
import { getPage } from "./pages.ts";
import { getRedirects } from "./redirects.ts";

export const routes = [
  getHealth,
  getBootstrap,
  getHome,
  getPage,
  getFaqs,
  listInteriors,
  getInterior,
  getRedirects,
];
