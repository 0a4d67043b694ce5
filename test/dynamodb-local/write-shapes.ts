import { parseArgs } from "node:util";
import { shapesOfRun } from "../support/permissions/request-shapes.ts";
import { shapesMissing, writeShapes } from "./known-shapes.ts";

/**
 * Adds the shapes of requests that a test run noted in the file `REQUEST_SHAPES` to those that DynamoDB Local is asked.
 *
 * - `--whole`: all tests ran, so it removes shapes that none of them sent.
 * - `--check`: it writes nothing, and fails if a whole run sent other shapes than are known.
 */
const { values } = parseArgs({
  options: {
    whole: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});
if (!process.env["REQUEST_SHAPES"]) {
  console.error("REQUEST_SHAPES must name the file in which a test run noted its requests.");
  process.exitCode = 1;
} else if (values.check) {
  const missing = shapesMissing(shapesOfRun);
  if (missing.length > 0) {
    console.error(missing.join("\n"));
    process.exitCode = 1;
  }
} else {
  const { added, removed } = writeShapes({ isWhole: values.whole }, shapesOfRun);
  console.log(`Shapes of requests: ${added} added, ${removed} removed.`);
}
