import { onceConnected } from "#shared/runtime/once-connected.ts";
import { authorize } from "./authorize.ts";
import { connect } from "./deps.ts";

export const handler = onceConnected(authorize, connect);
