import { listActivity } from "./activity.ts";
import { showDashboard } from "./dashboard.ts";
import { showLeadsFunnel } from "./leads-funnel.ts";
import { showMessaging } from "./messaging.ts";
import { showOverview } from "./overview.ts";
import { showProducts } from "./product-figures.ts";
import { showTraffic } from "./traffic.ts";

export const routes = [
  showDashboard,
  showOverview,
  showTraffic,
  showProducts,
  showLeadsFunnel,
  showMessaging,
  listActivity,
];
