import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import type { Clients } from "./clients.ts";
import { type Finding, note, ok, problem, wordsOf } from "./finding.ts";

/** A stack's status; undefined if it does not exist. */
async function statusOf(
  clients: Clients,
  region: string,
  StackName: string,
): Promise<string | undefined> {
  try {
    const { Stacks = [] } = await clients
      .stacksIn(region)
      .send(new DescribeStacksCommand({ StackName }));
    return Stacks[0]?.StackStatus;
  } catch (cause) {
    if (wordsOf(cause).includes("does not exist")) return undefined;
    throw cause;
  }
}

/** Why a stack cannot be deployed now, and what to do about it; undefined if it can. */
function obstacle(name: string, region: string, status: string): string | undefined {
  const at = `--stack-name ${name} --region ${region}`;
  if (status.endsWith("_IN_PROGRESS") && status !== "REVIEW_IN_PROGRESS") {
    return `${name} is being changed (${status}): wait until that has ended.`;
  }
  switch (status) {
    case "ROLLBACK_COMPLETE":
    case "ROLLBACK_FAILED":
    case "DELETE_FAILED":
    case "REVIEW_IN_PROGRESS":
      return `${name} was never complete (${status}): aws cloudformation delete-stack ${at}.`;
    case "UPDATE_ROLLBACK_FAILED":
      return (
        `${name} could not return to its last state (${status}): fix what its events name, then ` +
        `aws cloudformation continue-update-rollback ${at}.`
      );
    default:
      return undefined;
  }
}

export interface Deployed {
  readonly findings: readonly Finding[];
  /** Whether the data stack is complete. */
  readonly data: boolean;
}

/** @param names stack names with their regions */
export async function stacks(
  clients: Clients,
  names: readonly (readonly [name: string, region: string])[],
): Promise<Deployed> {
  const findings: Finding[] = [];
  let data = false;
  for (const [name, region] of names) {
    try {
      const status = await statusOf(clients, region, name);
      if (status === undefined) continue;
      const reason = obstacle(name, region, status);
      findings.push(reason === undefined ? ok(`${name} is ${status}.`) : problem(reason));
      if (reason === undefined && name.endsWith("-data")) data = true;
    } catch (cause) {
      findings.push(problem(`${name} cannot be read: ${wordsOf(cause)}.`));
    }
  }
  return { findings, data };
}

/**
 * Checks the switch `protect`. Production turns protection on with its second deployment: if the first one failed while
 * protected, it could not be repeated.
 */
export function protection(options: {
  readonly production: boolean;
  readonly protect: boolean;
  readonly deployed: boolean;
}): Finding {
  const { production, protect, deployed } = options;
  if (!deployed) {
    return protect
      ? problem("The first deployment could not be repeated if it failed: pass -c protect=false.")
      : ok("The first deployment protects nothing, so it can be repeated.");
  }
  if (protect) return ok("The data is protected from deletion.");
  const message = "The data can be deleted with the stack: leave out -c protect=false.";
  return production ? problem(message) : note("The data can be deleted with the stack.");
}
