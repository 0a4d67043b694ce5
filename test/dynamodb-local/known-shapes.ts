import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contents } from "#infra/generated/generated-files.ts";
import {
  type AnyShape,
  type RequestShape,
  identityOf,
  shapesOfRun,
  writesOf,
} from "#test/guards/request-shapes.ts";

/** The shapes that `npm run test:dynamodb-local` sends: every shape that the API's tests send, one a line. */
const file = new URL("request-shapes.jsonl", import.meta.url);

/** Where `npm run test:all` leaves the shapes that its tests sent. */
export const shapesOfWholeRun = join(import.meta.dirname, "../../.local/request-shapes.jsonl");

function shapesIn(path: string | URL): Map<string, AnyShape> {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  // `noteShapes` or `nextShapes` made each line from a shape.
  const shapes = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AnyShape]));
  return new Map(shapes.map((shape) => [identityOf(shape), shape]));
}

/** The known shapes by their names. */
export const knownShapes = (): ReadonlyMap<string, AnyShape> => shapesIn(file);

/** The known shapes, and in `npm run test:all` those that its tests have just sent as well. */
export function shapesToAsk(): ReadonlyMap<string, AnyShape> {
  const sent = process.env["REQUEST_SHAPES"] === undefined ? [] : shapesIn(shapesOfRun);
  const shapes = withoutCovered(new Map([...sent, ...knownShapes()]));
  return new Map(shapes.map((shape) => [identityOf(shape), shape]));
}

const byOrderInFile = (one: AnyShape, other: AnyShape): number =>
  orderInFile(one) < orderInFile(other) ? -1 : 1;

/** Requests come by entity, transactions after them. */
const orderInFile = (of: AnyShape): string =>
  "transaction" in of ? `~ ${identityOf(of)}` : `${of.entity} ${of.shape}`;

/** Whether a known transaction contains all writes of another. */
const covers = (known: ReadonlyMap<string, AnyShape>, writes: ReadonlySet<string>): boolean =>
  [...known.values()].some((each) => "transaction" in each && writes.isSubsetOf(writesOf(each)));

const isKnown = (known: ReadonlyMap<string, AnyShape>, shape: AnyShape): boolean =>
  "transaction" in shape ? covers(known, writesOf(shape)) : known.has(identityOf(shape));

/** Without transactions whose writes are all in a larger one, or whose writes are not among the shapes any more. */
function withoutCovered(shapes: ReadonlyMap<string, AnyShape>): AnyShape[] {
  const kept = new Map(
    [...shapes].filter(
      ([, shape]) =>
        !("transaction" in shape) || shape.transaction.every((name) => shapes.has(name)),
    ),
  );
  return [...kept].flatMap(([identity, shape]) => {
    if (!("transaction" in shape)) return shape;
    const others = new Map([...kept].filter(([other]) => other !== identity));
    return covers(others, writesOf(shape)) ? [] : shape;
  });
}

/**
 * The known shapes with those of a test run. Those that are known keep their example. A transaction is added only if no
 * other one contains its writes.
 *
 * The run is the last `npm run test:all`; then requests that none of its tests sent are left out. With `REQUEST_SHAPES`
 * it is the run of some tests that noted their requests in that file.
 *
 * @throws Error when there is no such run
 */
export function nextShapes(): Contents {
  const isWhole = process.env["REQUEST_SHAPES"] === undefined;
  const sentIn = isWhole ? shapesOfWholeRun : shapesOfRun;
  if (!existsSync(sentIn)) {
    throw new Error(
      `There is no ${sentIn}: first run \`npm run test:all\`, or set REQUEST_SHAPES.`,
    );
  }
  const known = shapesIn(file);
  const sent = shapesIn(sentIn);
  const remaining = new Map(
    [...known].filter(
      ([identity, shape]) => !isWhole || "transaction" in shape || sent.has(identity),
    ),
  );
  const shapes = withoutCovered(new Map([...sent, ...remaining])).toSorted(byOrderInFile);
  const text = shapes.map((shape) => `${JSON.stringify(shape)}\n`).join("");
  return { "test/dynamodb-local/request-shapes.jsonl": text };
}

/**
 * What a whole run sent and the file lacks, and requests in the file that no test sent, one text each. Storms and faults
 * take other ways in each run, so both may differ a little. DynamoDB Local was asked all of them.
 */
export function shapesMissing(sentIn: string = shapesOfRun): string[] {
  const known = shapesIn(file);
  const sent = shapesIn(sentIn);
  return [
    ...[...sent.values()]
      .filter((shape) => !isKnown(known, shape))
      .map((shape) => `New: ${described(shape)}`),
    ...[...known.values()]
      .filter((shape) => !("transaction" in shape || sent.has(identityOf(shape))))
      .map((shape) => `Not sent: ${described(shape)}`),
  ];
}

const described = (shape: AnyShape): string =>
  "transaction" in shape
    ? `a transaction of ${identityOf(shape)}`
    : `${shape.entity}: ${shape.shape}`;

/** @throws Error when it is not among them */
export function shapeNamed(name: string, among: ReadonlyMap<string, AnyShape>): RequestShape {
  const shape = among.get(name);
  if (!shape || "transaction" in shape) throw new Error(`A transaction has no write ${name}.`);
  return shape;
}
