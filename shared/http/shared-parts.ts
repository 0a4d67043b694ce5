import { pascalCase } from "./component-names.ts";

/** The parts of an OpenAPI document that operations share or contain. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    parameters?: Record<string, object>;
    responses: Record<string, object>;
    schemas?: Record<string, object>;
  };
}

interface Operation {
  parameters?: (Reference | { readonly name: string })[];
  responses: Record<string, Reference | object>;
}

interface Reference {
  readonly $ref: string;
}

const parametersAt = "#/components/parameters/";
const responsesAt = "#/components/responses/";
const schemasAt = "#/components/schemas/";

/**
 * Makes a component of every parameter that several operations have, and inlines responses and their envelopes that only
 * one has.
 */
export function shareParts(document: Document): void {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  shareParameters(operations, (document.components.parameters ??= {}));
  inlineResponses(operations, document.components.responses);
  inlineEnvelopes(operations, document.components);
}

/** Components of the same name are numbered; the most frequent has no number. */
function shareParameters(
  operations: readonly Operation[],
  components: Record<string, object>,
): void {
  const inline = operations
    .flatMap(({ parameters = [] }) => parameters)
    .filter((parameter) => "name" in parameter);
  const equal = [...Map.groupBy(inline, (parameter) => JSON.stringify(parameter))]
    .filter(([, uses]) => uses.length > 1)
    .toSorted(([, one], [, other]) => other.length - one.length);
  const references = new Map<string, Reference>();
  for (const [text, [parameter = { name: "" }]] of equal) {
    const name = freeName(pascalCase(parameter.name), components);
    components[name] = parameter;
    references.set(text, { $ref: parametersAt + name });
  }
  for (const operation of operations) {
    if (!operation.parameters) continue;
    operation.parameters = operation.parameters.map(
      (parameter) => references.get(JSON.stringify(parameter)) ?? parameter,
    );
  }
}

function freeName(name: string, taken: Readonly<Record<string, object>>): string {
  let free = name;
  for (let number = 2; free in taken; number++) free = name + number;
  return free;
}

function inlineResponses(
  operations: readonly Operation[],
  components: Record<string, object>,
): void {
  const references = operations.flatMap(({ responses }) =>
    Object.values(responses).filter((response) => "$ref" in response),
  );
  const uses = Map.groupBy(references, ({ $ref }) => $ref);
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      if (!("$ref" in response) || uses.get(response.$ref)?.length !== 1) continue;
      const { $ref, ...own } = response;
      const name = $ref.slice(responsesAt.length);
      responses[status] = { ...components[name], ...own };
      delete components[name];
    }
  }
}

interface WithContent {
  readonly content?: { readonly "application/json"?: { schema: Reference | object } };
}

/** Inlines the envelopes of data, `{data, meta, links}`, that one response has. They have no name in the code. */
function inlineEnvelopes(
  operations: readonly Operation[],
  { responses, schemas = {} }: Document["components"],
): void {
  const all: WithContent[] = [
    ...Object.values(responses),
    ...operations.flatMap((operation) => Object.values(operation.responses)),
  ];
  const contents = all.flatMap(({ content }) => content?.["application/json"] ?? []);
  const nameOf = ({ schema }: { schema: Reference | object }) =>
    "$ref" in schema ? schema.$ref.slice(schemasAt.length) : "";
  for (const [name, [only, ...others]] of Map.groupBy(contents, nameOf)) {
    if (!name.endsWith("Response") || !only || others.length > 0) continue;
    only.schema = schemas[name] ?? only.schema;
    delete schemas[name];
  }
}
