import { expect, test } from "vitest";
import { demoLogins, demoPasswordHashes } from "#infra/local/demo/data/staff.ts";
import { passwordFits } from "#shared/auth/passwords.ts";

test.each(demoLogins)(
  "the demo user $email signs in with the documented password",
  async (login) => {
    expect(await passwordFits(login.password, demoPasswordHashes[login.role])).toBe(true);
  },
);
