/** What kind of value something is, whatever its prototype says. An `import` of `node:util` would run all its getters: 4 ms. */
export const { types: valueTypes } = process.getBuiltinModule("node:util");
