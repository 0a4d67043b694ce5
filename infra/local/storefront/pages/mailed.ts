import { type View, view } from "../page.ts";
import { address } from "../router.ts";
import { answerOf, shop } from "../shop.ts";
import { Narrow } from "./sign-in.ts";

interface Deed {
  title: string;
  button: string;
  send: (token: string) => Promise<{ data: { message: string } }>;
}

/** What the links of letters do. It waits for the button: mail programs open links, too. */
const deeds: Readonly<Record<string, Deed>> = {
  "/verify-email": {
    title: "Confirm your email",
    button: "This is my email",
    send: (token) => answerOf(shop.POST("/api/v1/auth/verify-email", { body: { token } })),
  },
  "/newsletter/confirm": {
    title: "Letters about new pieces",
    button: "Yes, send them to me",
    send: (token) => answerOf(shop.POST("/api/v1/newsletter/confirm", { body: { token } })),
  },
  "/notify/confirm": {
    title: "News of a piece",
    button: "Yes, tell me",
    send: (token) => answerOf(shop.POST("/api/v1/notify/confirm", { body: { token } })),
  },
  "/unsubscribe": {
    title: "No more letters",
    button: "Send me none of these letters",
    send: (token) => answerOf(shop.POST("/api/v1/unsubscribe/{token}", { params: { path: { token } } })),
  },
};

export function Mailed(): View {
  const { pathname, searchParams } = address.value;
  const { title, button, send } = deeds[pathname] ?? {};
  const submit = async () => (await send?.(searchParams.get("token") ?? ""))?.data.message;
  return view`<${Narrow} title=${title} button=${button} submit=${submit} />`;
}
