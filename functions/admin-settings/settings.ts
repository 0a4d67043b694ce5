import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  AllSettingsAnswer,
  SettingsAnswer,
  groupNamed,
  settingsInput,
} from "#shared/domain/settings/settings-forms.ts";
import { type SettingsGroup, settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { replaceRecord } from "#shared/application/edit.ts";
import { AppError, requireVersion } from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import {
  type OpenedGroup,
  answerOf,
  openGroup,
  saveGroup,
} from "#shared/application/settings/save-group.ts";

const Params = z.object({
  group: z
    .string()
    .max(40)
    .meta({ description: settingsGroupNames.join(", ") }),
});

/** An unknown group returns 404, like any unknown path. */
function requireGroup(name: string): SettingsGroup {
  const group = groupNamed(name);
  if (!group) throw new AppError("not_found");
  return group;
}

export const listSettings = route({
  method: "GET",
  path: "/admin/settings",
  summary: "List all settings",
  description:
    "Returns all groups. Of a secret, returns only whether it is configured, and its last characters.",
  access: staff("settings.view"),
  request: {},
  response: { status: 200, data: AllSettingsAnswer },
  async handle(_call, shop: Shop<"table" | "secrets">) {
    const opened = await Promise.all(settingsGroupNames.map((group) => openGroup(group, shop)));
    return {
      data: Object.fromEntries(opened.map((found) => [found.group, answerOf(found)])),
    };
  },
});

export const getSettings = route({
  method: "GET",
  path: "/admin/settings/{group}",
  summary: "Get a group of settings",
  description: "Of a secret, returns only whether it is configured, and its last characters.",
  access: staff("settings.view"),
  request: { params: Params },
  response: { status: 200, data: SettingsAnswer },
  async handle({ params }, shop: Shop<"table" | "secrets">) {
    const opened = await openGroup(requireGroup(params.group), shop);
    return { data: shown(opened), version: opened.version };
  },
});

export const replaceSettings = route({
  method: "PUT",
  path: "/admin/settings/{group}",
  summary: "Replace a group of settings",
  description:
    "The body must contain all members of the group except secrets; the response of GET can be sent " +
    "back. Takes effect within two seconds. A secret is replaced by a string, cleared by null, and " +
    "kept if it is left out or sent back as GET returned it. A `version` in the body works like `If-Match`. The `store` currency can " +
    "change only until a price or an order exists, the country only until an order exists.",
  access: staff("settings.edit"),
  request: {
    params: Params,
    headers: z.object({ "if-match": IfMatch }),
    body: z.looseObject({}).meta({
      description: "The members of the group",
      example: {
        default_title: "Teak & Thread",
        default_description: "Furniture made to last.",
        og_image_url: null,
        indexable: true,
      },
    }),
  },
  response: { status: 200, data: SettingsAnswer },
  errors: ["in_use", "version_mismatch"],
  async handle(call, shop: Shop<"table" | "secrets">) {
    const group = requireGroup(call.params.group);
    const sent = parsed(settingsInput(group), call.body);
    const read = (): Promise<OpenedGroup> => openGroup(group, shop);
    const saved = await replaceRecord(
      await read(),
      read,
      call.headers["if-match"] ?? sent.version,
      async (before) => {
        requireVersion(sent.version, before?.version ?? 0);
        return saveGroup(before ?? (await read()), sent, auditContextOf(call), shop);
      },
    );
    return { data: shown(saved), version: saved.version };
  },
});

// Each group's response is an option of the union, but TypeScript cannot tell which.
const shown = (opened: OpenedGroup) => answerOf(opened) as z.input<typeof SettingsAnswer>;

export const routes = [listSettings, getSettings, replaceSettings];
