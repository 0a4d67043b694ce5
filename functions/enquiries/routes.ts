import { getFabricUpload, uploadFabric } from "./fabric-uploads.ts";
import { createLead } from "./leads.ts";
import { acceptQuote, declineQuote, getQuote } from "./quote-links.ts";
import { createQuote } from "./quotes.ts";

export const routes = [
  createLead,
  createQuote,
  getQuote,
  acceptQuote,
  declineQuote,
  uploadFabric,
  getFabricUpload,
];
