// Loaded by each Node process in which MiniStack runs a function. AWS's runtime finds index.cjs, MiniStack only index.js.
require.extensions[".cjs"] = require.extensions[".js"];
