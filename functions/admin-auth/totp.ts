import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  confirmSecondFactor,
  readOwnFactor,
  removeSecondFactorOf,
  setUpSecondFactor,
} from "#shared/application/staff/use-second-factor.ts";
import { TypedPassword } from "#shared/domain/customer/credentials.ts";
import {
  RecoveryCodes,
  SecondFactorCode,
  TotpConfirmation,
  TotpSetup,
} from "#shared/domain/staff/second-factor.ts";
import { route, staffBeforeEnrolment } from "#shared/http/route.ts";

type TotpShop = Shop<"table" | "randomBytes" | "rates" | "settings" | "settingsKeys", "store">;

const OwnPassword = z.strictObject({ password: TypedPassword });

export const setUpTotp = route({
  method: "POST",
  path: "/admin/auth/totp",
  summary: "Set up an authenticator app",
  description:
    "Requires the password. Returns a new secret for the app. The second factor becomes active when `POST " +
    "/admin/auth/totp/confirm` receives a code of the app. Until then, calling this again " +
    "replaces the secret.",
  access: staffBeforeEnrolment,
  request: {
    body: OwnPassword.meta({
      id: "TotpSetupInput",
      example: { password: "a long enough password" },
    }),
  },
  response: { status: 200, data: TotpSetup },
  errors: ["already_exists", "too_many_requests"],
  first: (call, shop: TotpShop) => readOwnFactor(call, shop),
  async handle(call, shop) {
    return { data: await setUpSecondFactor(call, call.first, shop) };
  },
});

export const confirmTotp = route({
  method: "POST",
  path: "/admin/auth/totp/confirm",
  summary: "Confirm an authenticator app with its first code",
  description:
    "Signing in then requires a code, and your other sessions end. Returns ten recovery codes, which are never shown " +
    "again.",
  access: staffBeforeEnrolment,
  request: { body: TotpConfirmation.meta({ example: { code: "492039" } }) },
  response: { status: 200, data: RecoveryCodes },
  errors: ["already_exists"],
  first: (call, shop: TotpShop) => readOwnFactor(call, shop),
  async handle(call, shop) {
    const codes = await confirmSecondFactor(call, call.first, shop);
    return { data: { recovery_codes: codes } };
  },
});

export const removeTotp = route({
  method: "DELETE",
  path: "/admin/auth/totp",
  summary: "Remove your second factor",
  description:
    "Requires the password and a code. Your other sessions end. Ten wrong codes in a row, here and when signing in, lock the second factor for " +
    "15 minutes.",
  access: staffBeforeEnrolment,
  request: {
    body: OwnPassword.safeExtend({ code: SecondFactorCode }).meta({
      id: "TotpRemovalInput",
      example: { password: "a long enough password", code: "492039" },
    }),
  },
  response: { status: 204 },
  errors: ["too_many_requests"],
  first: (call, shop: TotpShop) => readOwnFactor(call, shop),
  async handle(call, shop) {
    await removeSecondFactorOf(call, call.first, shop);
  },
});

export const routes = [setUpTotp, confirmTotp, removeTotp];
