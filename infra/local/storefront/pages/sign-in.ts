import type { Schemas } from "furniture-storefront-client";
import { forgetCart, loadCart } from "../cart.ts";
import { Form, emailField, field, nameField } from "../forms.ts";
import { type View, useTitle, view } from "../page.ts";
import { address, navigate } from "../router.ts";
import { answerOf, messageOf, session, shop } from "../shop.ts";

/** The answer came with the guest's cart merged into the account's. */
async function signedIn({ data: { token, customer } }: { data: Schemas["SignedIn"] }): Promise<void> {
  forgetCart();
  session.value = { token, customer };
  await loadCart();
  const { pathname, searchParams } = address.value;
  if (pathname !== "/verify-email") navigate(searchParams.get("next") ?? "/account", "replace");
}

const passwordField = (label: string, autocomplete: "new-password" | "current-password"): View =>
  field({ name: "password", label, type: "password", autocomplete, required: true });

type NarrowProps = { title: string; children?: View; after?: View } & Parameters<typeof Form>[0];

/** A page with one form. */
export function Narrow({ title, after, ...form }: NarrowProps): View {
  useTitle(title);
  return view`<section class="narrow"><h1>${title}</h1><${Form} ...${form} />${after}</section>`;
}

export function SignIn(): View {
  const submit = async (body: Schemas["LoginInput"]) =>
    signedIn(await answerOf(shop.POST("/api/v1/auth/login", { body })));
  const after = view`
    <p><a href="/register">Create an account</a> · <a href="/forgot-password">Forgotten the password?</a></p>
    <p>An order can also be <a href="/track">tracked without an account</a>.</p>`;
  return view`
    <${Narrow} title="Sign in" button="Sign in" submit=${submit} after=${after}>
      ${emailField()}${passwordField("Password", "current-password")}
    <//>`;
}

export function Register(): View {
  const submit = async (body: Schemas["RegisterInput"]) =>
    signedIn(await answerOf(shop.POST("/api/v1/auth/register", { body })));
  return view`
    <${Narrow} title="Create an account" button="Create it" submit=${submit}>
      ${nameField()}${emailField()}${passwordField("Password, of eight characters or more", "new-password")}
    <//>`;
}

export function ForgotPassword(): View {
  const submit = (body: Schemas["ForgotPasswordInput"]) =>
    messageOf(shop.POST("/api/v1/auth/forgot-password", { body }));
  return view`<${Narrow} title="Set a new password" button="Send me a link" submit=${submit}>${emailField()}<//>`;
}

export function ResetPassword(): View {
  const { searchParams } = address.value;
  const token = searchParams.get("token") ?? "";
  const submit = async (body: Omit<Schemas["ResetPasswordInput"], "token">) => {
    await answerOf(shop.POST("/api/v1/auth/reset-password", { body: { ...body, token } }));
    navigate("/sign-in", "replace");
  };
  return view`
    <${Narrow} title="Choose a new password" button="Save it" submit=${submit}>
      ${emailField(searchParams.get("email"))}${passwordField("New password", "new-password")}
    <//>`;
}
