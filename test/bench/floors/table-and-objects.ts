import { handler as objects } from "./objects.ts";
import { handler as table } from "./table.ts";

export const handler = async () => [await table(), await objects()];
