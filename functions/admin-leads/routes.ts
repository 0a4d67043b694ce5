import { changeLead, getLead, listLeads } from "./leads.ts";
import { changeQuote, getQuote, listQuotes } from "./quotes.ts";

export const routes = [listLeads, getLead, changeLead, listQuotes, getQuote, changeQuote];
