/**
 * Stands in for `@aws-sdk/middleware-endpoint-discovery` in bundles: DynamoDB's client brings it along with a cache,
 * and DynamoDB has no endpoints to discover.
 */
export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: false,
};
