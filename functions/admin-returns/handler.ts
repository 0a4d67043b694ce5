import { serve } from "#shared/http/serve.ts";
import { connect } from "./deps.ts";
import { resources } from "./routes.ts";

export const handler = serve(resources, connect);
