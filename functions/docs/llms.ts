import { anyone, route } from "#shared/http/route.ts";
import { agentGuide } from "./agent-guide.ts";
import { type Deps, requireOpen } from "./pages.ts";

export const getAgentGuide = route({
  method: "GET",
  path: "/llms.txt",
  outsideApi: true,
  summary: "Get a guide for software agents: what the shop sells, and how to buy",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, file: true },
  async handle(_call, { isOpen, openapi, shop }: Deps) {
    requireOpen(isOpen);
    const [document, facts] = await Promise.all([openapi(), shop()]);
    return {
      file: Buffer.from(agentGuide(document, facts)),
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    };
  },
});

export const routes = [getAgentGuide];
