/** Stands in for `zod/v4/core/to-json-schema.js` in bundles: none describes anything itself. */
const createMethod = () => (): never => {
  throw new Error("This bundle was made without JSON Schemas.");
};

export { createMethod as createStandardJSONSchemaMethod, createMethod as createToJSONSchemaMethod };
