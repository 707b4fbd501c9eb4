const COMMENTS = /^(?:\s+|--[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\/)+/;

/** Not in a text or a comment as a rule; where it is, the name says too much and nothing else. */
const RELATION =
  /\b(?:from|into|update|table|join|copy|truncate|listen|notify)\s+(?:if\s+(?:not\s+)?exists\s+|only\s+)?(["`]?)([a-z_][\w$]{0,62}(?:\.[a-z_][\w$]{0,62})?)\1/i;

/** What an SQL statement does, and to which table first: `UPDATE account`. */
export function statementName(text: string): string {
  const statement = text.slice(0, 4096).replace(COMMENTS, "");
  const verb = /^[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? "QUERY";
  return [verb, RELATION.exec(statement)?.[2]].filter(Boolean).join(" ");
}
