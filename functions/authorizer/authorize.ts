import type { Shop } from "#shared/application/shop.ts";
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from "aws-lambda";
import { type Verdict, bearerToken } from "#shared/auth/identity.ts";
import { claimedGuard, verifyToken } from "#shared/auth/tokens.ts";

type AuthorizingShop = Shop<"customerKeys" | "staffKeys" | "now">;

/**
 * Returns who owns the request's token, or why the token is invalid. Authorizes every request: the function behind the
 * route returns the 401 itself. The result depends only on the header, because API Gateway caches it for all guarded
 * routes.
 */
export async function authorize(
  { identitySource }: Pick<APIGatewayRequestAuthorizerEventV2, "identitySource">,
  shop: AuthorizingShop,
): Promise<APIGatewaySimpleAuthorizerWithContextResult<Verdict>> {
  return { isAuthorized: true, context: await verdictOn(identitySource[0] ?? "", shop) };
}

async function verdictOn(
  header: string,
  { customerKeys: customer, staffKeys: staff, now }: AuthorizingShop,
): Promise<Verdict> {
  const token = bearerToken(header);
  const guard = token && claimedGuard(token);
  if (!guard) return { guard: "anonymous", reason: "malformed" };
  const keys = { customer, staff }[guard];
  const read = await verifyToken(token, guard, keys, now());
  if ("distrust" in read) return { guard: "anonymous", reason: read.distrust };
  const { role, ...claims } = read.claims;
  return { ...claims, ...(role !== null && { role }) };
}
