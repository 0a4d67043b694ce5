declare module "swagger-ui-dist/absolute-path.js" {
  /** The folder that the package's files are in. */
  function absolutePath(): string;
  export = absolutePath;
}
