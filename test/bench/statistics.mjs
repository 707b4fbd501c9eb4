/** Of numbers in any order; NaN of none. */
export function median(values) {
  return quantile(values, 0.5);
}

export function p90(values) {
  return quantile(values, 0.9);
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of numbers in any order; NaN of none. */
export function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}
