const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/**
 * Whether a synchronous `load` hook is harmless here. Node before 22.17, and 23 to 24.0, hands a CommonJS module that
 * passes such a hook to `import` as another, half-finished copy than to `require`: the agent would break.
 */
export const loadHooksWork: boolean = major > 24 || (major === 24 && minor >= 1) || (major === 22 && minor >= 17);
