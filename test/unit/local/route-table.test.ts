import { describe, expect, test } from "vitest";
import { routeTable } from "#infra/local/gateway/route-table.ts";

const table = routeTable(
  [
    "GET /pets/dog/1",
    "GET /pets/dog/{id}",
    "GET /pets/{proxy+}",
    "PUT /pets/{kind}/{id}",
    "GET /{kind}/list",
    "ANY /any/{id}",
    "GET /sofas/materials",
    "GET /sofas/{slug}",
    "PUT /sofas/{id}",
  ].map((key) => ({ key, method: key.split(" ")[0] as string, path: key.split(" ")[1] as string })),
);

const match = (method: string, path: string) => {
  const found = table(method, path.slice(1).split("/"));
  return found && [found.route.key, found.params];
};

describe("the local gateway chooses the same route as API Gateway", () => {
  test.each([
    ["GET", "/pets/dog/1", ["GET /pets/dog/1", undefined]],
    ["GET", "/pets/dog/2", ["GET /pets/dog/{id}", { id: "2" }]],
    ["GET", "/pets/cat/1", ["GET /pets/{proxy+}", { proxy: "cat/1" }]],
    ["PUT", "/pets/dog/1", ["PUT /pets/{kind}/{id}", { kind: "dog", id: "1" }]],
    ["GET", "/pets/list", ["GET /{kind}/list", { kind: "pets" }]],
    ["DELETE", "/any/7", ["ANY /any/{id}", { id: "7" }]],
    ["GET", "/sofas/materials", ["GET /sofas/materials", undefined]],
    ["PUT", "/sofas/materials", ["PUT /sofas/{id}", { id: "materials" }]],
    ["GET", "/sofas/", undefined],
    ["GET", "/sofas", undefined],
    ["POST", "/sofas/oslo", undefined],
    ["HEAD", "/sofas/oslo", undefined],
    ["GET", "/sofas/oslo/", undefined],
  ])("for %s %s", (method, path, expected) => {
    expect(match(method, path)).toEqual(expected);
  });
});
