import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Plugin } from "esbuild";
import type { Address } from "#shared/http/route.ts";

const maker = join(import.meta.dirname, "make-description.ts");
const source = "functions/docs/description.ts";

/**
 * Puts what `functions/docs/description.ts` says in its place, and so in that of every route's code: addresses into the
 * bundle and the document, which is read when it is first asked for, into a file beside it.
 */
export const description: Plugin = {
  name: "description",
  setup({ initialOptions: { absWorkingDir = "" }, onLoad, onEnd }) {
    let document: string;
    onLoad({ filter: new RegExp(`/${source}$`) }, async () => {
      const options = { env: {}, maxBuffer: Infinity };
      const { stdout } = await promisify(execFile)(process.execPath, [maker], options);
      const [everyRoute, text] = JSON.parse(stdout) as [Address[], string];
      document = text;
      const contents = `
        import { readFileSync } from "node:fs";
        import { dirname, join } from "node:path";
        export const everyRoute = () => ${JSON.stringify(everyRoute)};
        export const description = () =>
          readFileSync(join(dirname(__filename), "api.json"), "utf8");`;
      return { contents };
    });
    onEnd(async ({ metafile }) => {
      for (const [file, { inputs }] of Object.entries(metafile?.outputs ?? {})) {
        if (!(source in inputs)) continue;
        await writeFile(join(absWorkingDir, dirname(file), "api.json"), document);
      }
    });
  },
};
