import { readdirSync } from "node:fs";

/** What each noun of the domain may import; `order` and `payment` know each other. */
const nouns: Readonly<Record<string, readonly string[]>> = {
  base: [],
  request: ["base"],
  contact: ["base"],
  location: ["base", "contact"],
  upload: ["base"],
  catalog: ["base", "upload"],
  settings: ["base", "contact"],
  delivery: ["base", "contact", "catalog", "settings"],
  sofa: ["base", "upload", "catalog"],
  pricing: ["base", "contact", "catalog", "settings", "delivery", "sofa"],
  cart: ["base", "upload", "catalog", "settings", "delivery", "sofa", "pricing"],
  customer: ["base", "contact"],
  staff: ["base", "customer"],
  order: [
    "base",
    "upload",
    "contact",
    "catalog",
    "settings",
    "delivery",
    "sofa",
    "pricing",
    "staff",
    "payment",
  ],
  payment: ["base", "catalog", "settings", "pricing", "order"],
  checkout: [
    "base",
    "request",
    "contact",
    "settings",
    "delivery",
    "pricing",
    "cart",
    "order",
    "payment",
  ],
  content: ["base", "upload", "catalog"],
  enquiry: [
    "base",
    "upload",
    "contact",
    "catalog",
    "settings",
    "delivery",
    "sofa",
    "pricing",
    "cart",
    "order",
  ],
  document: ["base", "pricing"],
  inbox: ["base", "contact", "upload", "order", "enquiry"],
  listing: ["base", "upload", "catalog", "sofa", "content"],
  seo: ["base", "upload", "catalog", "settings", "delivery", "pricing", "sofa", "content"],
  marketing: ["base", "catalog", "settings", "cart"],
  export: [
    "base",
    "upload",
    "catalog",
    "sofa",
    "customer",
    "cart",
    "staff",
    "order",
    "payment",
    "content",
    "enquiry",
    "inbox",
    "marketing",
  ],
  metrics: ["base", "catalog", "order", "payment", "enquiry", "inbox"],
};

/** What each layer of `shared` may import beside itself. */
const layers: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  runtime: [],
  queues: ["domain", "runtime"],
  files: ["domain", "runtime"],
  mail: ["domain", "runtime"],
  documents: ["domain", "runtime", "mail"],
  messaging: ["domain", "runtime"],
  payments: ["domain", "runtime"],
  search: ["domain", "runtime"],
  auth: ["domain", "runtime"],
  storage: ["domain", "runtime"],
  http: ["domain", "runtime", "auth"],
  application: [
    "domain",
    "runtime",
    "queues",
    "files",
    "mail",
    "documents",
    "messaging",
    "payments",
    "search",
    "auth",
    "storage",
  ],
};

/** Fails for a folder that no rule knows: its imports would be unchecked. */
function requireRules(folder: string, known: Readonly<Record<string, unknown>>): void {
  const folders = readdirSync(new URL(folder, import.meta.url), { withFileTypes: true });
  for (const { name } of folders.filter((each) => each.isDirectory())) {
    if (!(name in known))
      throw new Error(`Say in .oxlint.config.ts what ${folder}${name} may import.`);
  }
}
requireRules("shared/domain/", nouns);
// The client is a separate package, which is not linted.
requireRules("shared/", { ...layers, client: [] });

/** In these files nothing that one of these patterns names may be imported, not even as a type. */
const refused = (files: readonly string[], group: readonly string[], message: string) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] },
});

const outside = ["#functions/**", "#infra/**", "#test/**"];
const ofTheTable = ["@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb"];
const ofFunctions = ["#infra/**", "#test/**", "#functions/*/**", ...ofTheTable];

const layerRules = Object.entries(layers).map(([layer, allowed]) => {
  const others = Object.keys(layers).filter((one) => one !== layer && !allowed.includes(one));
  return refused(
    [`shared/${layer}/**`],
    [...outside, ...others.map((other) => `**/${other}/**`)],
    `shared/${layer} may import ${allowed.join(", ") || "nothing of ours"}.`,
  );
});

/** A noun may be divided into folders, which may import each other. */
const nounRules = Object.entries(nouns).flatMap(([noun, allowed]) =>
  [
    { files: `shared/domain/${noun}/*.ts`, parent: ".." },
    { files: `shared/domain/${noun}/*/*.ts`, parent: "../.." },
  ].map(({ files, parent }) =>
    refused(
      [files],
      [`${parent}/**`, "#*/**", "@aws-sdk/*", "@middy/*"].concat(
        allowed.map((other) => `!${parent}/${other}/**`),
      ),
      `The noun ${noun} may import ${allowed.join(", ") || "no other noun"}.`,
    ),
  ),
);

export default {
  plugins: ["typescript", "unicorn", "import", "oxc", "promise", "node"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  env: { node: true },
  // The client is a separate package. Its examples import it by its package name, which is not installed here.
  ignorePatterns: ["cdk.out/**", "shared/client/**"],
  rules: {
    "eslint/max-params": ["error", { max: 4 }],
    "eslint/no-await-in-loop": "off",
    "eslint/no-control-regex": "off",
    "eslint/no-shadow": "off",
    "oxc/no-map-spread": "off",
    "typescript/consistent-return": "off",
    "typescript/unbound-method": "off",
    "unicorn/no-thenable": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "eslint/no-underscore-dangle": "off",
    "import/no-unassigned-import": "off",
    "import/no-default-export": "error",
    "import/no-named-as-default": "off",
    "import/no-cycle": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-floating-promises": "error",
    "unicorn/no-array-sort": "off",
    "unicorn/require-post-message-target-origin": "off",
    "unicorn/consistent-function-scoping": "off",
  },
  overrides: [
    ...layerRules,
    ...nounRules,
    refused(["functions/**"], ofFunctions, "A function's folder imports shared and itself."),
    refused(
      ["functions/on-change/**", "functions/on-schedule/**", "functions/authorizer/**"],
      [...ofFunctions, "#shared/http/**"],
      "What answers no HTTP request imports nothing of shared/http.",
    ),
    {
      // The manifest and the description know all families.
      files: [
        "functions/families.ts",
        "functions/docs/description.ts",
        "functions/connect/docs.ts",
      ],
      rules: { "no-restricted-imports": "off" },
    },
    {
      // `test.each` takes a row's cells.
      files: ["test/**"],
      rules: { "eslint/max-params": "off" },
    },
    { files: ["infra/cloud/**"], rules: { "eslint/no-new": "off" } },
    {
      files: [".oxlint.config.ts", "test/**/vitest*.config.ts"],
      rules: { "import/no-default-export": "off" },
    },
  ],
};
