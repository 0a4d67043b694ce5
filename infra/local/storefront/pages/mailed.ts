import { type View, view } from "../page.ts";
import { address } from "../router.ts";
import { type Result, answerOf, shop } from "../shop.ts";
import { Narrow } from "./sign-in.ts";

type Send = (token: string) => Promise<Result<{ data: { message: string } }>>;

/** What the links of letters do. It waits for the button: mail programs open links, too. */
const deeds: Readonly<Record<string, readonly [title: string, button: string, send: Send]>> = {
  "/verify-email": [
    "Confirm your email",
    "This is my email",
    (token) => shop.POST("/api/v1/auth/verify-email", { body: { token } }),
  ],
  "/newsletter/confirm": [
    "Letters about new pieces",
    "Yes, send them to me",
    (token) => shop.POST("/api/v1/newsletter/confirm", { body: { token } }),
  ],
  "/notify/confirm": [
    "News of a piece",
    "Yes, tell me",
    (token) => shop.POST("/api/v1/notify/confirm", { body: { token } }),
  ],
  "/unsubscribe": [
    "No more letters",
    "Send me none of these letters",
    (token) => shop.POST("/api/v1/unsubscribe/{token}", { params: { path: { token } } }),
  ],
};

export function Mailed(): View {
  const { pathname, searchParams } = address.value;
  const [title, button, send] = deeds[pathname] ?? [];
  const submit = async () => send && (await answerOf(send(searchParams.get("token") ?? ""))).data.message;
  return view`<${Narrow} title=${title} button=${button} submit=${submit} />`;
}
