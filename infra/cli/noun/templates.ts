/** A noun to add: its names, and what its records have. */
export interface Noun {
  /** The folder of the domain and of the functions, such as `content`. */
  readonly family: string;
  /** Such as `gift-registry` and `gift-registries`, in the names of files and in paths. */
  readonly file: string;
  readonly many: string;
  /** Such as `gift_registry`, the name of the entity. */
  readonly entity: string;
  /** Such as `GiftRegistry` and `GiftRegistries`. */
  readonly type: string;
  readonly manyType: string;
  /** Such as `gift registry` and `gift registries`, for texts. */
  readonly words: string;
  readonly manyWords: string;
  /** The prefix of the records' ids; undefined if a record's key is its slug. */
  readonly prefix: string | undefined;
  readonly pictures: boolean;
  /** Whether its records name products and sofas, which then cannot be deleted. */
  readonly products: boolean;
  readonly hidden: boolean;
  readonly isPublic: boolean;
}

const partitionOf = ({ type }: Noun): string =>
  `${type[0]?.toLowerCase()}${type.slice(1)}Partition`;
const article = ({ words }: Noun): string => (/^[aeiou]/.test(words) ? "an" : "a");
const Article = (noun: Noun): string => (article(noun) === "an" ? "An" : "A");
export const sampleOf = ({ type }: Noun): string => `sample${type}`;

/** A text of lines; undefined lines are left out. */
const lines = (...all: readonly (string | false)[]): string =>
  `${all.filter((line) => line !== false).join("\n")}\n`;

/** The schemas: what the public reads, what staff write, what is stored; and a sample. */
export function domainFile(noun: Noun): string {
  const { type, words, prefix, pictures, products, hidden, isPublic } = noun;
  const bySlug = prefix === undefined;
  const content = [
    ...(bySlug ? ["  slug: Slug,"] : []),
    "  title: Text(120),",
    ...(pictures ? ["  pictures: z.array(StoredPicture).max(20),"] : []),
    ...(products ? ['  product_ids: z.array(z.union([Id("prd"), Id("sofa")])).max(100),'] : []),
  ];
  return lines(
    'import * as z from "zod";',
    (products || !bySlug) && 'import { Id } from "../base/ids.ts";',
    bySlug && 'import { Slug } from "../base/names.ts";',
    'import { Text, Timestamp } from "../base/text.ts";',
    pictures && 'import { StoredPicture } from "../upload/media.ts";',
    "",
    isPublic && `/** ${Article(noun)} ${words} as the public reads it. */`,
    isPublic && `export const ${type} = z.object({`,
    ...(isPublic ? content : []),
    isPublic && "});",
    isPublic && "",
    `/** The members of ${article(noun)} ${words} that staff write. */`,
    `export const ${type}Input = z.strictObject({`,
    ...(isPublic ? [`  ...${type}.shape,`] : content),
    hidden &&
      '  published: z.boolean().meta({ description: "Whether the public sees the record" }),',
    "});",
    "",
    `/** ${Article(noun)} ${words} as it is stored and as staff read it. */`,
    `export const Stored${type} = z.object({`,
    !bySlug && `  id: Id("${prefix}"),`,
    `  ...${type}Input.shape,`,
    "  version: z.int().min(1),",
    "  created_at: Timestamp,",
    "  updated_at: Timestamp,",
    "});",
    "",
    "/** The example of the API's description, and the record of the demo shop. */",
    `export const ${sampleOf(noun)}: z.input<typeof ${type}Input> = {`,
    bySlug && `  slug: "${noun.file}-one",`,
    `  title: "The first ${words}",`,
    pictures &&
      '  pictures: [{ url: "media://stories/sea.webp", alt: "The room", width: 1600, height: 900 }],',
    products && "  product_ids: [],",
    hidden && "  published: true,",
    "};",
  );
}

/** The entity. */
export function storageFile(noun: Noun): string {
  const { family, file, entity, type, prefix, pictures, products, isPublic } = noun;
  const id = prefix === undefined ? "slug" : "id";
  return lines(
    products && 'import { sellablesAt } from "../../domain/base/references.ts";',
    `import { Stored${type} } from "../../domain/${family}/${file}.ts";`,
    'import { entity } from "../entity.ts";',
    "",
    `export const ${partitionOf(noun)} = "${noun.many.toUpperCase().replaceAll("-", "")}";`,
    "",
    `export const ${noun.manyType} = entity({`,
    `  name: "${entity}",`,
    '  notExported: "few",',
    isPublic && "  isPublic: true,",
    pictures && "  showsPictures: true,",
    `  schema: Stored${type},`,
    ...(products
      ? [
          "  refers: {",
          '    to: ["product", "sofa"],',
          '    references: ({ product_ids }) => sellablesAt("product_ids", product_ids),',
          `    list: { partition: ${partitionOf(noun)} },`,
          "    label: ({ title }) => title,",
          "  },",
        ]
      : []),
    `  key: ({ ${id} }: { ${id}: string }) => ({ pk: ${partitionOf(noun)}, sk: ${id} }),`,
    "});",
  );
}

/** The routes of the back office. */
export function staffFile(noun: Noun): string {
  const { family, file, type, words, manyWords, prefix, isPublic, hidden } = noun;
  const bySlug = prefix === undefined;
  const seen = hidden ? "While it is published, the" : "The";
  const creation = isPublic
    ? `${seen} public sees it within five seconds.`
    : `Only staff see ${manyWords}.`;
  return lines(
    'import { recordRoutes } from "#functions/record-routes.ts";',
    'import { rowStore } from "#shared/application/record-store.ts";',
    `import { ${type}Input, Stored${type}, ${sampleOf(noun)} } from "#shared/domain/${family}/${file}.ts";`,
    `import { ${noun.manyType}, ${partitionOf(noun)} } from "#shared/storage/${family}/${noun.many}.ts";`,
    "",
    "export const routes = recordRoutes({",
    `  path: "/admin/${noun.many}",`,
    bySlug && '  name: "slug",',
    `  one: "${article(noun)} ${words}",`,
    `  permissions: { view: "${family}.view", edit: "${family}.edit" },`,
    `  record: Stored${type},`,
    `  input: ${type}Input,`,
    `  examples: { record: ${sampleOf(noun)}, patch: { title: "Another title" } },`,
    "  descriptions: {",
    `    create: "${creation}",`,
    '    get: "Includes the `version` that `If-Match` accepts.",',
    `    replace: "${bySlug ? "A new slug moves the record to another address." : "Replaces all members that staff write."}",`,
    '    change: "Omitted members do not change.",',
    `    remove: "${bySlug ? "The slug is free again." : "It cannot be restored."}",`,
    "  },",
    bySlug && '  errors: { create: ["already_exists"], edit: ["already_exists"] },',
    "  list: {",
    `    summary: "List ${manyWords}",`,
    `    description: "Lists all ${manyWords}, ${bySlug ? "sorted by slug" : "the oldest first"}.",`,
    `    entity: ${noun.manyType},`,
    `    partition: ${partitionOf(noun)},`,
    "  },",
    `  store: rowStore({`,
    `    entity: ${noun.manyType},`,
    !bySlug && `    prefix: "${prefix}",`,
    "    labelOf: ({ title }) => title,",
    "  }),",
    "});",
  );
}

/** The public's routes. */
export function publicRoutesFile(noun: Noun): string {
  const { family, file, type, words, manyWords, hidden } = noun;
  return lines(
    'import { publicRecords } from "#functions/public-records.ts";',
    `import { ${type} } from "#shared/domain/${family}/${file}.ts";`,
    `import { ${noun.manyType}, ${partitionOf(noun)} } from "#shared/storage/${family}/${noun.many}.ts";`,
    "",
    "export const routes = publicRecords({",
    `  path: "/${noun.many}",`,
    `  one: "${article(noun)} ${words}",`,
    `  many: "${manyWords}",`,
    "  descriptions: {",
    '    list: "Sorted by slug. Returns all unless `per_page` is sent.",',
    `    get: "Returns 404 if there is no ${hidden ? "published " : ""}${words} with this slug.",`,
    "  },",
    `  entity: ${noun.manyType},`,
    `  partition: ${partitionOf(noun)},`,
    `  record: ${type},`,
    hidden ? "  visible: ({ published }) => published," : "  visible: () => true,",
    "});",
  );
}

/** A test of what is particular to the noun. Tests over all routes check the rest. */
export function testFile(noun: Noun): string {
  const { family, file, words, entity, prefix, pictures, products, hidden, isPublic } = noun;
  const bySlug = prefix === undefined;
  const path = noun.many;
  const sample = sampleOf(noun);
  const one = `${article(noun)} ${words}`;
  return lines(
    'import { afterAll, beforeAll, expect, test } from "vitest";',
    `import { ${sample} } from "#shared/domain/${family}/${file}.ts";`,
    products && 'import { type Data, aProductBody } from "#test/support/back-office/catalog.ts";',
    'import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";',
    isPublic && 'import { clientOf } from "#test/support/http/client.ts";',
    'import type { StaffClient } from "#test/support/people/people.ts";',
    isPublic && 'import { soon } from "#test/support/stack/wait-until.ts";',
    "",
    "let office: BackOffice;",
    "let editor: StaffClient;",
    "beforeAll(async () => {",
    "  office = await openBackOffice();",
    `  editor = await office.colleague("${family}_editor");`,
    "});",
    "afterAll(() => office.stop());",
    "",
    "const save = (overrides: object) =>",
    `  editor.ask("POST", "/admin/${path}", { ...${sample}, ...overrides });`,
    isPublic && "const statusOf = async (slug: string) =>",
    isPublic && `  (await clientOf(office.stack.baseUrl).get(\`/${path}/\${slug}\`)).status;`,
    "",
    ...(bySlug
      ? [
          `test("a second record with the slug of ${one} is refused", async () => {`,
          '  expect((await save({ slug: "taken" })).status).toBe(201);',
          '  expect((await save({ slug: "taken" })).body).toMatchObject({ code: "already_exists" });',
          "});",
        ]
      : [
          `test("${one} is read as it was saved", async () => {`,
          "  const { body, headers } = await save({});",
          '  const address = headers.get("location")?.replace("/api/v1", "") ?? "";',
          '  expect((await editor.ask("GET", address)).body).toEqual(body);',
          "});",
        ]),
    isPublic && "",
    isPublic && `test("${one} is public from when it is saved until it is deleted", async () => {`,
    isPublic && '  await save({ slug: "shown" });',
    isPublic && '  await soon(async () => expect(await statusOf("shown")).toBe(200));',
    isPublic && `  await editor.ask("DELETE", "/admin/${path}/shown");`,
    isPublic && '  await soon(async () => expect(await statusOf("shown")).toBe(404));',
    isPublic && "});",
    isPublic && hidden && "",
    isPublic &&
      hidden &&
      `test("the public does not see ${one} that is not published", async () => {`,
    isPublic && hidden && '  await save({ slug: "hidden", published: false });',
    isPublic && hidden && '  await save({ slug: "open" });',
    isPublic && hidden && '  await soon(async () => expect(await statusOf("open")).toBe(200));',
    isPublic && hidden && '  expect(await statusOf("hidden")).toBe(404);',
    isPublic &&
      hidden &&
      `  const { text } = await clientOf(office.stack.baseUrl).get("/${path}");`,
    isPublic && hidden && "  expect(text).not.toContain('\"hidden\"');",
    isPublic && hidden && "});",
    pictures && "",
    pictures &&
      `test("${one} with a picture that is not in the media library is refused", async () => {`,
    pictures && '  const url = "media://uploads/med_01KE66PJA0M594E921BVM9D6BK/320.webp";',
    pictures && `  const [picture] = ${sample}.pictures;`,
    pictures &&
      `  const { status, text } = await save({ ${bySlug ? 'slug: "bare", ' : ""}pictures: [{ ...picture, url }] });`,
    pictures &&
      '  expect([status, text]).toEqual([422, expect.stringContaining("pictures.0.url")]);',
    pictures && "});",
    ...(products
      ? [
          "",
          `test("a product that ${one} names must exist, and cannot be deleted", async () => {`,
          '  const owner = await office.colleague("owner");',
          '  const category = { kind: "category", slug: "accent-chairs", name: "Chairs" };',
          '  await owner.post("/admin/categories", category);',
          '  const { body } = await owner.post<Data<{ id: string }>>("/admin/products", aProductBody());',
          "  const { id } = body.data;",
          `  const naming = { ${bySlug ? 'slug: "naming", ' : ""}product_ids: [id] };`,
          "  expect((await save(naming)).status).toBe(201);",
          "  const refused = await owner.delete(`/admin/products/${id}`);",
          "  expect([refused.status, refused.body]).toMatchObject([",
          "    409,",
          `    { code: "in_use", details: { used_by: [{ kind: "${entity}" }] } },`,
          "  ]);",
          '  const missing = { product_ids: ["prd_01KE66PJA0M594E921BVM9D6BK"] };',
          `  const { status, text } = await save({ ${bySlug ? 'slug: "missing", ' : ""}...missing });`,
          '  expect([status, text]).toEqual([422, expect.stringContaining("product_ids.0")]);',
          "});",
        ]
      : []),
  );
}
