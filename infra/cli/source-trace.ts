import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";

type SourceMapPayload = ConstructorParameters<typeof SourceMap>[0];

/** A file position in a bundle, as stack traces show it. */
const place = /[^\s("\\]*index\.cjs:(\d+):(\d+)/g;

/**
 * Replaces each position in a bundle by the position in the sources. Other text stays as it is, so a whole log line may
 * be passed.
 *
 * @param mapFile path of the bundle's source map
 * @param map its content
 */
export function sourceTrace(trace: string, mapFile: string, map: string): string {
  // The cast is safe: esbuild has written the source map.
  const sources = new SourceMap(JSON.parse(map) as SourceMapPayload);
  return trace.replaceAll(place, (bundled, line: string, column: string) => {
    const origin = sources.findOrigin(Number(line), Number(column));
    if (!("fileName" in origin)) return bundled;
    const file = relative(process.cwd(), resolve(dirname(mapFile), origin.fileName));
    return `${file}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
