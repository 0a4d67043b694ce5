import { anyone, route } from "#shared/http/route.ts";
import { agentGuide } from "./agent-guide.ts";
import { type DocsShop, requireOpen } from "./pages.ts";

export const getAgentGuide = route({
  method: "GET",
  path: "/llms.txt",
  outsideApi: true,
  summary: "Get a guide for software agents: what the shop sells, and how to buy",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, file: true },
  async handle(_call, { isDocsOpen, openapi, shopFacts }: DocsShop) {
    requireOpen(isDocsOpen);
    const [document, facts] = await Promise.all([openapi(), shopFacts()]);
    return {
      file: Buffer.from(agentGuide(document, facts)),
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    };
  },
});

export const routes = [getAgentGuide];
