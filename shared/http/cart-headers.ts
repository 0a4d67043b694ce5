import * as z from "zod";
import { CartToken } from "#shared/auth/opaque-tokens.ts";
import { IfMatch } from "#shared/http/if-match.ts";

/** Headers of a call that reads a cart. */
export const ReadHeaders = z.object({ "x-cart-token": CartToken.optional() });

/** Headers of a call that changes a cart. */
export const WriteHeaders = ReadHeaders.extend({ "if-match": IfMatch });
