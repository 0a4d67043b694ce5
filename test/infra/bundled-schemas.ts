import * as z from "zod";

const Chair = z.string();

/** Builds schemas while it is imported, which no function may. */
export const handler = Chair.optional();
