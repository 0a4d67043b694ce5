import { recordEvents } from "./events.ts";

export const routes = [recordEvents];
