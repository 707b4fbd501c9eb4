/** The first `longest` UTF-16 code units of a text, without half of a surrogate pair at the end. */
export const beginOf = (text: string, longest: number): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
