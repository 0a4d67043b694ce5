import { calledKey } from "#shared/http/route.ts";
import { description } from "#functions/docs/description.ts";
import type { Functions } from "#infra/local/functions/load-function.ts";
import { type ResponseHeader, responseHeaders } from "#shared/http/response-headers.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import {
  type DescribedResponse,
  type Description,
  type Judge,
  type Operation,
  judgeBy,
  operationsOf,
  resolved,
} from "#test/support/http/description.ts";

interface Answered {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: string;
}

export interface DescriptionGuard {
  /** The functions, with every response compared to the OpenAPI document. */
  readonly functions: Functions;
  /** The differences between responses and the document, since this was last asked. */
  differences(): string[];
}

/** The OpenAPI document with its compiled schemas, which all stacks of a worker share. */
interface Document {
  readonly judge: Judge;
  /** The operations by method and path. */
  readonly described: ReadonlyMap<string, Operation>;
  /** Methods and paths of the routes with a rate limit. */
  readonly limited: ReadonlySet<string>;
}

let known: Promise<Document> | undefined;

async function readDocument(): Promise<Document> {
  const document = resolved(JSON.parse(await description()) as Description);
  const limited = everyRoute.filter(({ route }) => route.limit !== undefined);
  return {
    judge: judgeBy(document),
    described: new Map(operationsOf(document).map((each) => [each.name, each.operation])),
    limited: new Set(limited.map(({ key }) => key)),
  };
}

/** Compares every response of these functions to the OpenAPI document: status, headers, body and error code. */
export async function startDescriptionGuard(functions: Functions): Promise<DescriptionGuard> {
  known ??= readDocument();
  const { judge, described, limited } = await known;
  const differences = new Set<string>();

  function check(routeKey: string, { statusCode = 200, headers = {}, body = "" }: Answered): void {
    const responses = described.get(routeKey)?.responses;
    if (!responses) return;
    const declared =
      responses[String(statusCode)] ?? (statusCode >= 400 ? responses["default"] : undefined);
    const isLimited = statusCode < 400 && limited.has(routeKey);
    const limits = isLimited ? limitHeaders(responses["429"]) : {};
    const problems = declared
      ? [
          ...headerProblems({ ...limits, ...declared.headers }, headers),
          ...bodyProblems(declared, body),
        ]
      : ["is not described"];
    for (const problem of problems) differences.add(`${routeKey}: ${statusCode} ${problem}`);
  }

  function bodyProblems({ content, description: text }: DescribedResponse, body: string): string[] {
    const schema = content?.["application/json"]?.schema;
    if (!schema) return body === "" ? [] : ["has an undocumented body"];
    const value = JSON.parse(body) as { code?: string };
    const difference = judge(schema, value);
    if (difference !== undefined) return [`has an undocumented body: ${difference}`];
    return value.code === undefined || text.includes(`\`${value.code}\``)
      ? []
      : [`has the undocumented code ${value.code}`];
  }

  return {
    functions: {
      ...functions,
      async family(family, environment) {
        const loaded = await functions.family(family, environment);
        return {
          ...loaded,
          async handler(event, context) {
            const answer = await loaded.handler(event, context);
            check(calledKey(event), answer as Answered);
            return answer;
          },
        };
      },
    },
    differences() {
      const found = [...differences].toSorted();
      differences.clear();
      return found;
    },
  };
}

/** The headers that the 429 of an operation declares for its successes, too. */
const limitHeaders = ({ headers = {} }: Partial<DescribedResponse> = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("X-RateLimit-")));

function headerProblems(
  declared: NonNullable<DescribedResponse["headers"]>,
  sent: Readonly<Record<string, unknown>>,
): string[] {
  const names = Object.keys(responseHeaders) as ResponseHeader[];
  return names.flatMap((name) => {
    const isSent = sent[name] !== undefined;
    if (isSent && !declared[name]) return [`has ${name}`];
    return !isSent && declared[name]?.required ? [`lacks ${name}`] : [];
  });
}
