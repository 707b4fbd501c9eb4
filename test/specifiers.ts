/** A module specifier as written in a source, and whether code, types only, or just a path comes through it. */
export interface Specifier {
  readonly name: string;
  readonly kind: "code" | "types" | "path";
}

/**
 * All module specifiers of a TypeScript or JavaScript source: import and export declarations, `import()`, `require()`,
 * `require.resolve()`, `import.meta.resolve()`, `declare module`. Comments and the text inside strings do not count.
 */
export function specifiersOf(source: string): Specifier[] {
  const { code, strings } = withoutText(source);
  const found: Specifier[] = [];
  const add = (pattern: RegExp, kindOf: (statement: string) => Specifier["kind"]): void => {
    for (const match of code.matchAll(pattern)) {
      found.push({ name: strings[Number(match[1])] ?? "", kind: kindOf(match[0]) });
    }
  };
  add(/\b(?:import|export)\b[^"'`;()=]*?\bfrom\s*"(\d+)"/g, (statement) =>
    /^(?:import|export)\s+type\b/.test(statement) ? "types" : "code",
  );
  add(/\bimport\s*"(\d+)"/g, () => "code");
  add(/\b(?:import|require)\s*\(\s*"(\d+)"/g, () => "code");
  add(/\b(?:require\s*\.\s*resolve|import\s*\.\s*meta\s*\.\s*resolve)\s*\(\s*"(\d+)"/g, () => "path");
  add(/\bdeclare\s+module\s*"(\d+)"/g, () => "types");
  return found;
}

/** The source without comments and regular expressions, each string replaced by `"n"`, its index in `strings`. */
function withoutText(source: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  const braces: number[] = []; // depth of `{` inside each open `${…}`
  let code = "";
  let at = 0;
  const literal = (text: string): void => {
    code += `"${strings.push(text) - 1}"`;
  };
  const template = (): void => {
    const start = at;
    while (at < source.length && source[at] !== "`") {
      if (source.startsWith("${", at)) {
        braces.push(0);
        at += 2;
        code += " ";
        return;
      }
      at += source[at] === "\\" ? 2 : 1;
    }
    literal(source.slice(start, at++));
  };
  while (at < source.length) {
    const char = source[at] ?? "";
    if (source.startsWith("//", at)) at = endOf(source, "\n", at);
    else if (source.startsWith("/*", at)) at = endOf(source, "*/", at + 2) + 2;
    else if (char === '"' || char === "'") {
      const start = ++at;
      while (at < source.length && source[at] !== char) at += source[at] === "\\" ? 2 : 1;
      literal(source.slice(start, at++));
    } else if (char === "`") {
      at++;
      template();
    } else if (char === "/" && startsExpression(code)) at = endOfRegExp(source, at + 1);
    else {
      const depth = braces.at(-1);
      at++;
      if (depth !== undefined && char === "}" && depth === 0) {
        braces.pop();
        template();
        continue;
      }
      if (depth !== undefined && char === "{") braces[braces.length - 1] = depth + 1;
      if (depth !== undefined && char === "}") braces[braces.length - 1] = depth - 1;
      code += char;
    }
  }
  return { code, strings };
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end < 0 ? source.length : end;
}

/** After what has been read, does a `/` begin a regular expression (and not a division)? */
function startsExpression(code: string): boolean {
  const before = code.trimEnd();
  return (
    before === "" || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || /\b(?:return|typeof|case|of|in|void)$/.test(before)
  );
}

function endOfRegExp(source: string, from: number): number {
  let inClass = false;
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "\n") return at;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at + 1;
  }
  return source.length;
}
