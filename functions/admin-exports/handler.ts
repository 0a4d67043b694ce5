import { serve } from "#shared/http/serve.ts";
import { connect } from "./deps.ts";
import { routes } from "./routes.ts";

export const handler = serve(routes, connect);
