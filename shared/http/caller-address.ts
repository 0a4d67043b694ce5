import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** The header in which CloudFront sends the viewer's address and port. */
export const viewerAddressHeader = "CloudFront-Viewer-Address";

const viewerMember = viewerAddressHeader.toLowerCase();

/**
 * The caller's IP address: from API Gateway, or from our CloudFront distribution.
 *
 * @param isBehindCdn whether the call came through the distribution; if not, no header is trusted
 */
export function callerAddress(
  { headers, requestContext }: Pick<APIGatewayProxyEventV2, "headers" | "requestContext">,
  isBehindCdn: boolean,
): string {
  const viewer = isBehindCdn ? headers[viewerMember] : undefined;
  return viewer === undefined ? requestContext.http.sourceIp : withoutPort(viewer);
}

/** Removes the port from `198.51.100.7:46532`, `2001:db8::7:46532` or `[2001:db8::7]:46532`. */
function withoutPort(viewer: string): string {
  return viewer.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
}
