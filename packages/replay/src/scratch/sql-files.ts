/** A statement that opens a file of its own, with the place of the expression that names it. */
interface FileClause {
  from: number;
  to: number;
  tokens: string[];
}

export interface SqlFiles {
  /** the statements with every written name replaced */
  sql: string;
  /** parameters that name a file: their number from 0, or their name without its sign */
  parameters: (number | string)[];
}

const TOKEN =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}_][\p{L}\p{N}_$]*|[?:@$][\p{L}\p{N}_]*|\s+|[^]/gu;
const SPACE = /^(?:\s|--|\/\*)/;

/**
 * Finds the files that SQL text opens by itself, by `ATTACH` and `VACUUM INTO`, and replaces their names.
 * Throws if a name is computed: it is then not known before the file is open.
 */
export function sqlFiles(sql: string, replace: (name: string) => string): SqlFiles {
  if (!/\b(?:attach|into)\b/i.test(sql)) return { sql, parameters: [] };
  const parameters: (number | string)[] = [];
  let result = "";
  let done = 0;
  for (const { from, to, tokens } of clauses(sql)) {
    const [only] = tokens;
    if (only === undefined || tokens.length !== 1)
      throw new Error(`a replay cannot open '${tokens.join(" ")}' in a scratch copy: the name is computed by SQL`);
    if (/^[?:@$]/.test(only)) {
      const name = only.slice(1);
      parameters.push(name === "" ? ordinal(sql, from) : only.startsWith("?") ? Number(name) - 1 : name);
      continue;
    }
    result += `${sql.slice(done, from)}'${replace(unquoted(only)).replaceAll("'", "''")}'`;
    done = to;
  }
  return { sql: result + sql.slice(done), parameters };
}

function* clauses(sql: string): Generator<FileClause> {
  let words: string[] = [];
  let clause: FileClause | null = null;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (SPACE.test(token)) continue;
    const word = token.toLowerCase();
    const [first] = words;
    if (word === ";") {
      if (clause !== null) yield clause;
      clause = null;
      words = [];
      continue;
    }
    words.push(word);
    if (clause !== null && first === "attach" && word === "as") {
      yield clause;
      clause = null;
      words = ["attached"];
    } else if (clause !== null) {
      clause.tokens.push(token);
      clause.to = index + token.length;
    } else if (
      (first === "attach" && word !== "database") ||
      (first === "vacuum" && words.includes("into") && word !== "into")
    ) {
      clause = { from: index, to: index + token.length, tokens: [token] };
    }
  }
  if (clause !== null) yield clause;
}

/** The number of an unnamed parameter among those before it. */
function ordinal(sql: string, index: number): number {
  return [...sql.slice(0, index).matchAll(TOKEN)].filter(([token]) => token === "?").length;
}

function unquoted(token: string): string {
  const [quote = ""] = token;
  if (quote === "[") return token.slice(1, -1);
  return /['"`]/.test(quote) ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
}
