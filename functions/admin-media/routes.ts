import { changeMedia, deleteMedia, getMedia, listMedia, uploadMedia } from "./media.ts";

export const routes = [listMedia, uploadMedia, getMedia, changeMedia, deleteMedia];
