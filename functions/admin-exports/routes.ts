import { getExport } from "./exports.ts";

export const routes = [getExport];
