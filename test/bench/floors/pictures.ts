import sharp from "sharp";
import { handler as tableAndObjects } from "./table-and-objects.ts";

export const handler = async () => [await tableAndObjects(), sharp];
