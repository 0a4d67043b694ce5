import { type View, view } from "../page.ts";
import { address } from "../router.ts";
import { type Result, messageOf, session, shop } from "../shop.ts";
import { Narrow, SignIn } from "./sign-in.ts";

type Send = (token: string) => Promise<Result<{ data: { message: string } }>>;

/** What the links of letters do. It waits for the button: mail programs open links, too. */
const calls: Readonly<Record<string, Send>> = {
  "/verify-email": (token) => shop.POST("/api/v1/auth/verify-email", { body: { token } }),
  "/newsletter/confirm": (token) => shop.POST("/api/v1/newsletter/confirm", { body: { token } }),
  "/notify/confirm": (token) => shop.POST("/api/v1/notify/confirm", { body: { token } }),
  "/unsubscribe": (token) => shop.POST("/api/v1/unsubscribe/{token}", { params: { path: { token } } }),
};
const words: Readonly<Record<string, readonly [title: string, button: string]>> = {
  "/verify-email": ["Confirm your email", "This is my email"],
  "/newsletter/confirm": ["Letters about new pieces", "Yes, send them to me"],
  "/notify/confirm": ["News of a piece", "Yes, tell me"],
  "/unsubscribe": ["No more letters", "Send me none of these letters"],
};

export function Mailed(): View {
  const { pathname, searchParams } = address.value;
  const [title, button] = words[pathname] ?? [];
  // An email belongs to the account that is signed in.
  if (pathname === "/verify-email" && !session.value) return view`<${SignIn} />`;
  const submit = async () => messageOf(calls[pathname]!(searchParams.get("token") ?? ""));
  return view`<${Narrow} title=${title} button=${button} submit=${submit} />`;
}
