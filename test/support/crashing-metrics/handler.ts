import { onceConnected } from "#shared/runtime/once-connected.ts";
import { consume, connect } from "./consume.ts";

export const handler = onceConnected(consume, connect);
