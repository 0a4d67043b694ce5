import { announcementRoutes } from "./announcement.ts";
import {
  changeFaqGroup,
  createFaqGroup,
  deleteFaqGroup,
  getFaqGroup,
  listFaqGroups,
  replaceFaqGroup,
} from "./faqs.ts";
import {
  getHomepage,
  listHomepageVersions,
  publishHomepage,
  replaceHomepage,
  restoreHomepage,
} from "./homepage.ts";
import { interiorRoutes } from "./interiors.ts";
import { menuRoutes } from "./menus.ts";
import { pageRoutes } from "./pages.ts";
import {
  changeRedirect,
  createRedirect,
  deleteRedirect,
  getRedirect,
  listRedirects,
  replaceRedirect,
} from "./redirects.ts";
import { sofaLandingRoutes } from "./sofa-landing.ts";

export const routes = [
  getHomepage,
  replaceHomepage,
  publishHomepage,
  listHomepageVersions,
  restoreHomepage,
  ...announcementRoutes,
  ...menuRoutes,
  ...pageRoutes,
  listFaqGroups,
  createFaqGroup,
  getFaqGroup,
  replaceFaqGroup,
  changeFaqGroup,
  deleteFaqGroup,
  ...interiorRoutes,
  listRedirects,
  createRedirect,
  getRedirect,
  replaceRedirect,
  changeRedirect,
  deleteRedirect,
  ...sofaLandingRoutes,
];
