import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { AppError } from "../domain/request/app-error.ts";
import { type HttpAnswer, errorAnswer } from "./answers.ts";
import { type RouteAddress, fullPath } from "./route.ts";

/** The error at an address without a route. */
export const nothingHere = () =>
  new AppError("not_found", { message: "There is nothing at this address." });

/**
 * Responds to requests that match no route, which API Gateway sends to `$default`: 405 with `Allow` if the path is
 * known, otherwise 404.
 */
export function answerNoRoute(
  everyRoute: readonly RouteAddress[],
  { rawPath, requestContext }: Pick<APIGatewayProxyEventV2, "rawPath" | "requestContext">,
): HttpAnswer {
  const matching = everyRoute.filter((route) => matchesPath(fullPath(route), rawPath));
  // A literal path, such as `/settings/checklist`, takes precedence over `/settings/{group}`.
  const fewest = Math.min(...matching.map(variablesOf));
  const methods = new Set(
    matching.flatMap((route) => (variablesOf(route) === fewest ? [route.method] : [])),
  );
  const error =
    methods.size === 0
      ? nothingHere()
      : new AppError("method_not_allowed", { headers: { Allow: [...methods].join(", ") } });
  return errorAnswer(error, requestContext.requestId);
}

const variablesOf = ({ path }: RouteAddress): number => path.split("{").length;

function matchesPath(pattern: string, path: string): boolean {
  const parts = path.split("/");
  const expected = pattern.split("/");
  return (
    parts.length === expected.length &&
    expected.every(
      (part, position) =>
        part === parts[position] || (part.startsWith("{") && parts[position] !== ""),
    )
  );
}
