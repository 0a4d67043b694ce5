// Every first call wants it, and while Lambda loads a function it lends it a whole core.
import "node:https";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { consume } from "./consume.ts";
import { connect } from "./deps.ts";

export const handler = onceConnected(consume, connect);
