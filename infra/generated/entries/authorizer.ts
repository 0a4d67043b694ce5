// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { authorize } from "#functions/authorizer/authorize.ts";
import { customerKeys, staffKeys } from "#functions/connect/keys.ts";
import { now } from "#functions/connect/runtime.ts";

export const openers = {
  customerKeys,
  staffKeys,
  now,
};

export const handler = onceConnected(authorize, (environment) => openShop(environment, openers));
export { authorize };
