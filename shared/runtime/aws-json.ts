import { type AwsAnswer, type AwsServiceOptions, awsService } from "./aws-service.ts";

/** What a service says against a request. What it answered stays private, so that no log prints the records in it. */
export class AwsRefusal extends Error {
  /** How often it was asked: after the first attempt an earlier answer may have been lost. */
  readonly attempts: number;
  readonly #answer: unknown;

  constructor(kind: string, message: string, answer: unknown, attempts: number) {
    super(message);
    this.name = kind;
    this.attempts = attempts;
    this.#answer = answer;
  }

  get answer(): unknown {
    return this.#answer;
  }
}

/** Calls an operation by its name. Throws AwsRefusal, or Unavailable after three attempts. */
export type AwsJson = (
  operation: string,
  question: object,
  signal?: AbortSignal,
) => Promise<unknown>;

interface AwsJsonOptions extends Omit<AwsServiceOptions, "mayPass"> {
  /** What operations' names begin with, such as `DynamoDB_20120810`. */
  readonly target: string;
}

/** Said with a 400, and gone soon. */
const passing = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "ThrottlingException",
  "TransactionInProgressException",
]);

/** A service whose questions and answers are JSON. */
export function awsJson({ target, ...options }: AwsJsonOptions): AwsJson {
  const service = awsService({
    ...options,
    mayPass: ({ status, body }) => status === 400 && passing.has(refusalIn(body).kind),
  });
  return async (operation, question, signal) => {
    const headers = {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `${target}.${operation}`,
    };
    const body = JSON.stringify(question);
    const answer = await service({ method: "POST", path: "/", headers, body }, signal);
    return answerIn(answer);
  };
}

function answerIn({ status, body, attempts }: AwsAnswer): unknown {
  if (status === 200) return JSON.parse(body.toString());
  const { kind, message, answer } = refusalIn(body);
  throw new AwsRefusal(kind, message, answer, attempts);
}

interface Refusal {
  readonly __type?: string;
  readonly message?: string;
  readonly Message?: string;
}

function refusalIn(body: Buffer): { kind: string; message: string; answer: unknown } {
  const text = body.toString();
  try {
    const answer = JSON.parse(text) as Refusal;
    const { __type = "", message, Message = message ?? "" } = answer;
    return { kind: __type.slice(__type.lastIndexOf("#") + 1), message: Message, answer };
  } catch {
    return { kind: "UnknownAnswer", message: text.slice(0, 200), answer: undefined };
  }
}
