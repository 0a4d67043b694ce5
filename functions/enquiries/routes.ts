import { getFabricUpload, uploadFabric } from "./fabric-uploads.ts";

export const routes = [uploadFabric, getFabricUpload];
