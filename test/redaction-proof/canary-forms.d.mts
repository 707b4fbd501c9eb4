export const matrix: readonly string[];
