import { listActivity } from "./activity.ts";

export const routes = [listActivity];
