import { createHmac } from "node:crypto";
import { request } from "node:https";

/** What the functions without a client need to read keys over TLS and to prove what was signed with them. */
export const handler = async () => [request, createHmac];
