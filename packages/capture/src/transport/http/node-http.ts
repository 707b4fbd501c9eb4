/** `import … from "node:http"` would read every getter of the module, and with them load all of undici: 50 ms. */
export const nodeHttp = process.getBuiltinModule("node:http");
