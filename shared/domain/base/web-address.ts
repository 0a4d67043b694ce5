import * as z from "zod";
import { LimitedString } from "./text.ts";

// RFC 3986 without user information and IPv6 literals. A pattern is needed, because a URL parser drops line breaks and
// accepts characters that a URI does not allow.
const uri =
  /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/;

const address = (max: number, protocol: RegExp, example: string) =>
  LimitedString(max).check(
    z.refine((text) => uri.test(text), {
      abort: true,
      message: `Give a full URL such as ${example}, without spaces.`,
    }),
    z.url({ protocol }),
  );

/** Whether the text is a path of the site or an http(s) URL. Other URLs, such as `javascript:`, could run a script. */
export const isPageAddress = (text: string): boolean =>
  /^\/(?![/\\])/.test(text) || (/^https?:\/\//i.test(text) && URL.canParse(text));
export const noPageAddress = "Give a path that begins with / or an http or https address.";

/** A web address that `format: uri` also accepts. */
export const WebAddress = address(300, /^https?$/, "https://www.example.com/");

/** A base URL for paths, without query and fragment. */
export const BaseAddress = WebAddress.refine(
  (address) => !/[?#]/.test(address),
  "Give an address without a query and without a fragment.",
);

/** An https address that `format: uri` also accepts. */
export const SecureWebAddress = address(500, /^https$/, "https://www.example.com/");
