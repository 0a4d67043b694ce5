/** The contents of generated files, by their paths in the project. */
export type Contents = Readonly<Record<string, string | Buffer>>;

export interface Generator {
  /** What the files follow from. Those that follow from the sources must be current in every commit. */
  readonly from:
    | "sources"
    | "a release"
    | "a run of tests"
    | "a run of all tests"
    | "the demo shop";
  /** Whether Git ignores the files. */
  readonly isIgnored?: true;
  /** Whether what follows the name on the command line are arguments of the generator, not further names. */
  readonly takesArguments?: true;
  /** Returns the files as they should be now, without writing them. */
  readonly contents: (args: readonly string[]) => Contents | Promise<Contents>;
}

/**
 * All generated files of the project. `npm run generate <name>…` writes them; arguments of a generator follow `--`.
 */
export const generators: Readonly<Record<string, Generator>> = {
  /** Keys of the table, and the names of the entities. */
  keys: {
    from: "sources",
    contents: async () => (await import("./key-chart.ts")).keyChartFiles(),
  },
  /** Entries of the functions. */
  entries: {
    from: "sources",
    contents: async () => (await import("./entries.ts")).entryFiles(),
  },
  /** The functions' permissions for the table, by the tests that are named, or by all: `grants -- --prune`. */
  grants: {
    from: "a run of tests",
    takesArguments: true,
    contents: async (args) => (await import("./grants.ts")).grantFiles(args),
  },
  /** Types of the client, which Git ignores. `npm run check` and packing the client generate them. */
  client: {
    from: "sources",
    isIgnored: true,
    contents: async () => (await import("./client-types.ts")).clientTypes(),
  },
  /** Formats of the countries' postal codes and names of their states, from a package of Google's address data. */
  postal: {
    from: "sources",
    contents: async () => (await import("./postal-formats.ts")).postalFormats(),
  },
  /** Changelog of the commits. */
  changelog: {
    from: "a release",
    contents: async () => (await import("./commits.ts")).changelogOfCommits(),
  },
  /** Rows as this release stores them, and the values of stored enums that it is the first to read. */
  rows: {
    from: "a release",
    contents: async () => (await import("#test/support/releases/rows.ts")).nextSet(),
  },
  /** Shapes of the requests that `npm run test:all` sent last; DynamoDB Local is asked them. */
  shapes: {
    from: "a run of all tests",
    contents: async () => (await import("#test/dynamodb-local/known-shapes.ts")).nextShapes(),
  },
  /** Pictures of the storefront and of the mail of an order. They need Chromium. */
  pictures: {
    from: "the demo shop",
    contents: async () => (await import("./readme-pictures.ts")).readmePictures(),
  },
};
