import type { Shop } from "#shared/application/shop.ts";
import { type SecretName, secretGroups } from "#shared/domain/settings/setting-secrets.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import {
  SetupChecklist,
  type ShopState,
  setupChecklist,
} from "#shared/domain/settings/setup-checklist.ts";
import { route, staff } from "#shared/http/route.ts";
import { PublishedProducts, PublishedSofas } from "#shared/storage/catalog/catalog.ts";
import { PublishedHome, PublishedMenus, PublishedPages } from "#shared/storage/content/content.ts";
import { SettingsRows, settingsOf } from "#shared/storage/settings/settings.ts";
import { at } from "#shared/storage/reads.ts";

export const getChecklist = route({
  method: "GET",
  path: "/admin/settings/checklist",
  summary: "Get the setup checklist",
  description:
    "The checklist is computed from the shop's current state; items cannot be ticked manually.",
  access: staff("settings.view"),
  request: {},
  response: { status: 200, data: SetupChecklist },
  async handle(_call, shop: Shop<"table" | "mailFrom" | "secrets">) {
    return { data: setupChecklist(await shopState(shop)) };
  },
});

async function shopState({
  table,
  secrets,
  mailFrom,
}: Shop<"table" | "mailFrom" | "secrets">): Promise<ShopState> {
  const [rows, products, sofas, ...opened] = await Promise.all([
    table.getMany({
      settings: settingsGroupNames.map((group) => at(SettingsRows, { group })),
      home: [at(PublishedHome, {})],
      menus: [at(PublishedMenus, {})],
      about: [at(PublishedPages, { slug: "about" })],
    }),
    table.page(PublishedProducts, { index: "gsi1", partition: "LIVE#product" }, { limit: 1 }),
    table.page(PublishedSofas, { index: "gsi1", partition: "LIVE#sofa" }, { limit: 1 }),
    ...secretGroups.map((group) => secrets.read(group)),
  ]);
  const readable = opened.flatMap(({ revealed }) =>
    // The record's keys are the names of secrets, but TypeScript types them as strings.
    Object.entries(revealed).flatMap(([name, text]) => (text === null ? [] : [name as SecretName])),
  );
  return {
    settings: settingsOf(settingsGroupNames, rows.settings),
    saved: new Set(rows.settings.flatMap((row) => (row ? [row.group] : []))),
    secrets: new Set(readable),
    mailFrom,
    published: {
      products: products.records.length + sofas.records.length > 0,
      homepage: rows.home[0] !== undefined,
      about: rows.about[0] !== undefined,
      menus: (rows.menus[0]?.header.length ?? 0) > 0,
    },
  };
}

export const routes = [getChecklist];
