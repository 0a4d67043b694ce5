import { expect, test } from "vitest";
import * as z from "zod";
import { operationNames } from "#shared/http/operation-names.ts";
import { type Method, type Route, anyone, route } from "#shared/http/route.ts";

const aRoute = (method: Method, path: string, isList = false): Route =>
  route({
    method,
    path,
    summary: "Do something",
    access: anyone,
    request: {},
    response: { status: 200, data: isList ? z.array(z.string()) : z.string() },
    handle: async () => ({ data: isList ? [] : "" }),
  });

const namesOf = (routes: readonly Route[], exported: ReadonlyMap<Route, string> = new Map()) => [
  ...operationNames(routes, exported).values(),
];

test("a route has the name of its export, that of the back office a longer one if a storefront's has it", () => {
  const [own, staffs, other] = [
    aRoute("POST", "/auth/login"),
    aRoute("POST", "/admin/auth/login"),
    aRoute("POST", "/checkout"),
  ];
  const exported = new Map([
    [own, "logIn"],
    [staffs, "logIn"],
    [other, "placeOrder"],
  ]);
  expect(namesOf([own, staffs, other], exported)).toEqual(["logIn", "adminLogIn", "placeOrder"]);
});

test("a route without an export is named by its method and path", () => {
  const cases: [Route, string][] = [
    [aRoute("GET", "/admin/pages", true), "listPages"],
    [aRoute("POST", "/admin/pages"), "createPage"],
    [aRoute("GET", "/admin/pages/{id}"), "getPage"],
    [aRoute("PUT", "/admin/pages/{id}"), "replacePage"],
    [aRoute("PATCH", "/admin/categories/{id}"), "changeCategory"],
    [aRoute("DELETE", "/admin/inbox/quick-replies/{id}"), "deleteInboxQuickReply"],
    [aRoute("POST", "/admin/pages/{id}/publish"), "publishPage"],
    [aRoute("DELETE", "/admin/pages/{id}/preview"), "deletePagePreview"],
    [aRoute("GET", "/admin/pages/{id}/versions", true), "listPageVersions"],
    [aRoute("POST", "/admin/pages/{id}/versions/{version}/restore"), "restorePageVersion"],
    [aRoute("GET", "/admin/homepage"), "getHomepage"],
  ];
  expect(namesOf(cases.map(([one]) => one))).toEqual(cases.map(([, name]) => name));
});

test("two operations with one name are an error", () => {
  const [one, other] = [aRoute("GET", "/cart"), aRoute("GET", "/basket")];
  const exported = new Map([one, other].map((each) => [each, "getCart"]));
  expect(() => operationNames([one, other], exported)).toThrow(/both named getCart/);
});
