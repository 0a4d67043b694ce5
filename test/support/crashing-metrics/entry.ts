import { openers as realOpeners } from "#infra/generated/entries/on-change-metrics.ts";
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { silentLog } from "../shop/parts.ts";
import { consume } from "./consume.ts";

export const openers = { ...realOpeners, log: () => silentLog };

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
