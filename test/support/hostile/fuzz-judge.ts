import type { Reply } from "../http/client.ts";
import { type Description, type Judge, jsonBodyOf, judgeBy } from "../http/description.ts";
import type { FuzzRequest } from "./fuzz-requests.ts";
import { type Problem, faultOf } from "../http/problem.ts";

/**
 * Checks responses against the OpenAPI document only.
 *
 * @returns a short text that is equal for equal errors; undefined if the response is valid
 */
export function answersBy(description: Description) {
  const judge = judgeBy(description);

  return (request: FuzzRequest, reply: Reply): string | undefined => {
    const { described, headers } = request;
    const { status } = reply;
    if (status >= 500) return `${status}`;
    const { responses } = described.operation;
    const declared =
      responses[String(status)] ?? (status >= 400 ? responses["default"] : undefined);
    if (isTurnedAway(request, reply)) return undefined;
    if (!declared) return `${status} ${codeOf(reply)} is not described`;
    if (status >= 400) return refusal(judge, declared, reply);
    if (status === 304) return headers["if-none-match"] === undefined ? "304" : undefined;
    return success(judge, declared, reply) ?? took(judge, request);
  };
}

type Declared = Description["paths"][string][string]["responses"][string];

const codeOf = ({ body }: Reply): string => (body as Problem | undefined)?.code ?? "without a code";

/** Whether API Gateway itself refused the call, because it had no token. */
const isTurnedAway = ({ described, caller }: FuzzRequest, { status, body }: Reply): boolean =>
  status === 401 &&
  caller === "guest" &&
  (described.operation.security ?? []).length > 0 &&
  JSON.stringify(body) === '{"message":"Unauthorized"}';

function refusal(judge: Judge, { description, content }: Declared, reply: Reply) {
  const schema = content?.["application/json"]?.schema;
  const difference = schema ? judge(schema, reply.body) : "the document has no schema for it";
  if (difference !== undefined) return `${reply.status} is not a documented error: ${difference}`;
  const code = codeOf(reply);
  if (!description.includes(`\`${code}\``)) return `${reply.status} ${code} is not described`;
  // A message that is no sentence is accepted, because it may start with a name that the caller sent.
  const fault = faultOf(reply);
  return fault?.startsWith("no sentence") ? undefined : fault?.slice(0, 60);
}

function success(judge: Judge, { content }: Declared, { status, body, text }: Reply) {
  const schema = content?.["application/json"]?.schema;
  if (!schema) return text === "" ? undefined : `${status} with a body`;
  const difference = judge(schema, body);
  return difference === undefined
    ? undefined
    : `${status} differs from the document: ${difference}`;
}

/** What is wrong with a request body that the service accepted; undefined if the body is valid. */
function took(judge: Judge, { described, body }: FuzzRequest): string | undefined {
  const schema = jsonBodyOf(described.operation);
  if (!schema || body === undefined) return undefined;
  const difference = judge(schema, JSON.parse(body));
  return difference && `accepted a request body that the document does not allow: ${difference}`;
}
