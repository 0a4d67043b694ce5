import type { Client, ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.js";

/** The shapes of requests and answers by name, such as `Schemas["ProductDetail"]`. */
export type Schemas = components["schemas"];

/** Every error. Its `code` decides the type of its `details`. */
export type Problem = {
  [Name in keyof Schemas]: Name extends `${string}Problem` ? Schemas[Name] : never;
}[keyof Schemas];

export type ErrorCode = Problem["code"];

export interface ShopClientOptions extends Omit<ClientOptions, "querySerializer"> {
  /** Address of the shop, without `/api/v1`. */
  baseUrl: string;
  /** The token of a customer or a staff user, read for each call; undefined for a guest. */
  token?: () => string | undefined;
  /** The token of a guest's cart, read for each call that takes one. */
  cartToken?: () => string | undefined;
  /** The token of a guest's order, read for each call that takes one. */
  orderToken?: () => string | undefined;
}

export type ShopClient = Client<paths>;

/**
 * A client with a method for each HTTP method. Each takes a path of the OpenAPI document, and returns `data` on success,
 * `error` otherwise, and the `response` with its headers. An error always has a `code`: that of an error which API
 * Gateway answered by itself is made of the status.
 */
export function createShopClient(options: ShopClientOptions): ShopClient;

export type { components, operations, paths } from "./schema.js";
