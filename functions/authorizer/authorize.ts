import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from "aws-lambda";
import { type Verdict, bearerToken } from "#shared/auth/claims.ts";
import { claimedGuard, verifyToken } from "#shared/auth/tokens.ts";
import type { Deps } from "./deps.ts";

/**
 * Identifies the owner of the request's token, or the reason for refusing it. It lets every request through, so that
 * the function itself refuses. It depends on the header alone, because API Gateway caches one result for all guarded
 * routes.
 */
export async function authorize(
  { identitySource }: Pick<APIGatewayRequestAuthorizerEventV2, "identitySource">,
  deps: Deps,
): Promise<APIGatewaySimpleAuthorizerWithContextResult<Verdict>> {
  return { isAuthorized: true, context: await verdictOn(identitySource[0] ?? "", deps) };
}

async function verdictOn(header: string, { keys, now }: Deps): Promise<Verdict> {
  const token = bearerToken(header);
  const guard = token && claimedGuard(token);
  if (!guard) return { guard: "anonymous", reason: "malformed" };
  const read = await verifyToken(token, guard, keys[guard], now());
  if ("distrust" in read) return { guard: "anonymous", reason: read.distrust };
  const { role, ...claims } = read.claims;
  return { ...claims, ...(role !== null && { role }) };
}
