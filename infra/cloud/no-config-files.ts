/**
 * Stands in for where `@smithy/core` looks beyond the environment. Lambda tells a function all in it: there are no
 * files of a person's, and no instance that knows its region.
 */
export async function loadSharedConfigFiles(): Promise<{
  configFile: object;
  credentialsFile: object;
}> {
  return { configFile: {}, credentialsFile: {} };
}

export async function getInstanceMetadataRegion(): Promise<undefined> {
  return undefined;
}
