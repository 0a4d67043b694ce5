import type { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import * as z from "zod";

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
  UpdatePolicy: z.record(z.string(), z.unknown()).optional(),
  DependsOn: z.array(z.string()).optional(),
});
type Resource = z.output<typeof Resource>;

export interface Resources {
  /** Logical id → resource. */
  readonly all: Readonly<Record<string, Resource>>;
  of(type: string): Resource[];
}

/** The resources in the templates of some stacks, which can be selected by type. */
export function resourcesOf(...stacks: readonly Stack[]): Resources {
  const all = Object.assign(
    {},
    ...stacks.map(
      (stack) =>
        z
          .object({ Resources: z.record(z.string(), Resource) })
          .parse(Template.fromStack(stack).toJSON()).Resources,
    ),
  ) as Resources["all"];
  return { all, of: (type) => Object.values(all).filter((resource) => resource.Type === type) };
}

const many = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), item.transform((one) => [one])]);

const Statement = z.object({
  Effect: z.enum(["Allow", "Deny"]),
  Action: many(z.string()),
  Resource: many(z.unknown()),
  Condition: z.record(z.string(), z.record(z.string(), many(z.string()))).default({}),
});
export type Statement = z.output<typeof Statement>;

export const Policy = z.object({
  PolicyDocument: z.object({ Statement: z.array(Statement) }),
  Roles: z.array(z.object({ Ref: z.string() })),
});

/** All statements of a stack's policies for a role. */
export function statementsOf(roleId: string, resources: Resources): Statement[] {
  return resources
    .of("AWS::IAM::Policy")
    .map(({ Properties }) => Policy.parse(Properties))
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === roleId))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

const Joined = z.object({ "Fn::Join": z.tuple([z.string(), z.array(z.unknown())]) });

/** A value as text, with `otherwise` for each part that is known only at deployment. */
export function textOf(value: unknown, otherwise: string): string {
  if (typeof value === "string") return value;
  const joined = Joined.safeParse(value);
  if (!joined.success) return otherwise;
  const [separator, parts] = joined.data["Fn::Join"];
  return parts.map((part) => textOf(part, otherwise)).join(separator);
}
