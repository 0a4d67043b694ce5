import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { settingsInput } from "#shared/domain/settings/settings-forms.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

/** A value of each member that a machine reads, in any request. */
const samples: Readonly<Record<string, string>> = {
  phone: "+919811000011",
  whatsapp: "+919811000011",
  email: "asha-rao@example.com",
  postal_code: "560001",
  country: "IN",
  coupon: "DIWALI-25",
  tax_id: "29AAGCB7383J1Z4",
  sku: "ACH-KAVERI-10",
  hsn_code: "94016100",
  number: "FS-7K3M-92QX-4HT8",
  items: "ACH-KAVERI-10:2",
};
/** What `code` means depends on the route. */
const codes: readonly (readonly [path: RegExp, sample: string])[] = [
  [/^\/admin\/auth\//, "123456"],
  [/^\/admin\/coupons/, "DIWALI-25"],
];

const inEachDigit = (zero: number) => (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const withDash = (dash: string) => (text: string) => text.replaceAll("-", dash);
const inTheMiddle = (mark: string) => (text: string) => text.slice(0, 2) + mark + text.slice(2);

/** What a text may look like after it was copied from somewhere. */
const pastes: Readonly<Record<string, (text: string) => string>> = {
  "from a phone's contacts": (text) => `\u202a${text}\u202c`,
  "from a web page in isolates": (text) => `\u2068${text}\u2069`,
  "with a mark of direction": (text) => `\u200e${text}\u200f`,
  "with a zero-width space": inTheMiddle("\u200b"),
  "with a zero-width joiner": inTheMiddle("\u200d"),
  "with a soft hyphen": inTheMiddle("\u00ad"),
  "with a word joiner": inTheMiddle("\u2060"),
  "with a byte order mark": (text) => `\ufeff${text}`,
  "with a variation selector": inTheMiddle("\ufe0f"),
  "with no-break spaces around it": (text) => `\u00a0${text}\u202f`,
  "with a tab and a line end": (text) => `\t${text}\r\n`,
  "in full width": (text) =>
    text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0)),
  "with Devanagari digits": inEachDigit(0x966),
  "with Arabic-Indic digits": inEachDigit(0x660),
  "with mathematical digits": inEachDigit(0x1d7ce),
  "with non-breaking hyphens": withDash("\u2011"),
  "with en dashes": withDash("\u2013"),
  "with minus signs": withDash("\u2212"),
};

interface Leaf {
  readonly route: string;
  readonly path: string;
  readonly name: string;
  readonly schema: z.ZodType;
}

type Visit = (name: string, path: string, schema: z.ZodType) => void;

/** Calls `visit` for each text in a schema, with the name of the member that holds it. */
function eachText(schema: z.ZodType, name: string, path: string, visit: Visit): void {
  const into = (inner: unknown, innerName = name, step = "") =>
    eachText(inner as z.ZodType, innerName, path + step, visit);
  const def = schema.def as unknown as Record<string, unknown> & { type: string };
  if (def.type === "object") {
    for (const [member, inner] of Object.entries(def["shape"] as Record<string, unknown>))
      into(inner, member, `.${member}`);
  } else if (def.type === "array") into(def["element"], name, "[]");
  else if (def.type === "record") into(def["valueType"], name, ".*");
  else if (def.type === "union") for (const option of def["options"] as unknown[]) into(option);
  else if (def.type === "lazy") into((def["getter"] as () => unknown)());
  else if (def["innerType"]) into(def["innerType"]);
  else if (def.type === "string" || (def.type === "pipe" && name in samples))
    visit(name, path, schema);
  else if (def.type === "pipe") into(def["in"]);
}

const requests: (readonly [route: string, part: string, schema: z.ZodType | undefined])[] = [
  ...everyRoute.flatMap(({ key, route: { request } }) =>
    (["body", "query", "params"] as const).map((part) => [key, part, request[part]] as const),
  ),
  ...settingsGroupNames.map(
    (group) => [`PUT /admin/settings/${group}`, "body", settingsInput(group)] as const,
  ),
];
const leaves: Leaf[] = [];
for (const [route, part, schema] of requests) {
  if (schema)
    eachText(schema, "", part, (name, path, leaf) => {
      leaves.push({ route, path, name, schema: leaf });
    });
}

/** The sample of a text that a machine reads; undefined for others. */
function sampleOf({ name, route, schema }: Leaf): string | undefined {
  const path = route.slice(route.indexOf("/"));
  if (name === "q" && /phone|email/.test(schema.description ?? "")) return samples["email"];
  if (name === "code" || (name === "q" && path.includes("/coupons")))
    return codes.find(([at]) => at.test(path.replace("/api/v1", "")))?.[1];
  return samples[name];
}

const machineRead = leaves.flatMap((leaf) => {
  const sample = sampleOf(leaf);
  return sample === undefined || !leaf.schema.safeParse(sample).success ? [] : [{ leaf, sample }];
});

describe("a text that a machine reads is the same", () => {
  test.each(Object.entries(pastes))("pasted %s, in every request", (_, paste) => {
    const different = machineRead.filter(({ leaf: { schema }, sample }) => {
      const pasted = schema.safeParse(paste(sample));
      return JSON.stringify(pasted.data) !== JSON.stringify(schema.parse(sample));
    });
    expect(different.map(({ leaf: { route, path } }) => `${route} ${path}`)).toEqual([]);
  });

  test("of which every kind is found in the requests", () => {
    const found = new Set(machineRead.map(({ leaf: { name } }) => name));
    expect(Object.keys(samples).filter((name) => !found.has(name))).toEqual([]);
    expect(machineRead.length).toBeGreaterThan(80);
  });
});
