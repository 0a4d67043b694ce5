import { onceConnected } from "#shared/runtime/once-connected.ts";
import { consume } from "./consume.ts";
import { connect } from "./deps.ts";

export const handler = onceConnected(consume, connect);
