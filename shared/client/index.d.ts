import type { Client, ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.js";

/** The shapes of requests and answers by name, such as `Schemas["ProductDetail"]`. */
export type Schemas = components["schemas"];

export interface ShopClientOptions extends Omit<ClientOptions, "querySerializer"> {
  /** Address of the shop, without `/api/v1`. */
  baseUrl: string;
  /** The token of a customer or a staff user, read for each call; undefined for a guest. */
  token?: () => string | undefined;
}

export type ShopClient = Client<paths>;

/**
 * A client with a method for each HTTP method. Each takes a path of the OpenAPI document, and returns `data` on success,
 * `error` otherwise, and the `response` with its headers.
 */
export function createShopClient(options: ShopClientOptions): ShopClient;

export type { components, operations, paths } from "./schema.js";
