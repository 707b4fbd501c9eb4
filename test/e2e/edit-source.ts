import { parseAst } from "rolldown/parseAst";

/**
 * What an edit does to a symbol. `of` and `call` name the one place in it; more or fewer places than one are an error.
 * In a new text `$&` stands for the text that it replaces, `$0` for the object of the method that is called, `$1` for the
 * first argument of the call.
 */
export type Change =
  /** the new body of the function */
  | { readonly body: string }
  /** statements before the first one of the function */
  | { readonly first: string }
  /** the new condition of the `if` that mentions this name */
  | { readonly condition: string; readonly of: string }
  /** what replaces the call of this function or method (`enable`, `starts.enable`) */
  | { readonly call: string; readonly becomes: string }
  /** the new value of this variable, field or member */
  | { readonly value: string; readonly of: string };

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/** The source with the change made; null: it does not declare the symbol. */
export function editSource(source: string, symbol: string, change: Change): string | null {
  const found = symbol
    .split(".")
    .reduce(
      (scopes, name) => scopes.flatMap((scope) => declarationsIn(scope, name)),
      [parseAst(source, { lang: "ts" }) as unknown as Node],
    );
  if (found.length === 0) return null;
  const { node, text } = only(
    found.flatMap((declaration) => targetsIn(source, declaration, change)),
    `${symbol} ${JSON.stringify(change)}`,
  );
  const callee = node["callee"] as Node | undefined;
  const parts: Record<string, string> = {
    "$&": source.slice(node.start, node.end),
    $0: callee?.["object"] === undefined ? "" : textOf(source, callee["object"] as Node),
    $1: textOf(source, (node["arguments"] as Node[] | undefined)?.[0]),
  };
  const replacement = text.replaceAll(/\$[&01]/g, (part) => parts[part] ?? "");
  return source.slice(0, node.start) + replacement + source.slice(node.end);
}

/** The nodes that a change replaces, and by what. */
function targetsIn(source: string, declaration: Node, change: Change): { node: Node; text: string }[] {
  if ("body" in change) return bodiesOf(declaration).map((node) => ({ node, text: `{ ${change.body} }` }));
  if ("first" in change)
    return bodiesOf(declaration).map(({ start }) => ({
      node: { type: "", start: start + 1, end: start + 1 },
      text: ` ${change.first} `,
    }));
  const inside = [...descendants(declaration)];
  if ("condition" in change)
    return inside
      .filter(({ type }) => type === "IfStatement")
      .map(({ test }) => test as Node)
      .filter((test) => [...descendants(test)].some((node) => nameOf(node) === change.of))
      .map((node) => ({ node, text: change.condition }));
  if ("call" in change)
    return inside
      .filter(({ type, callee }) => type === "CallExpression" && namesOf(source, callee as Node).includes(change.call))
      .map((node) => ({ node, text: change.becomes }));
  return inside.flatMap((node) => {
    const [key, value] = memberOf(node) ?? [];
    return key !== undefined && value !== undefined && nameOf(key) === change.of
      ? [{ node: value, text: change.value }]
      : [];
  });
}

/** Declarations of a name in this node: functions, classes, variables, members, and what a call with this text is given. */
function declarationsIn(scope: Node, name: string): Node[] {
  return [...descendants(scope)].filter((node) => {
    if (node === scope) return false;
    if (node.type === "CallExpression")
      return (node["arguments"] as Node[]).some(({ type, value }) => type === "Literal" && value === name);
    const [key, value] = memberOf(node) ?? [];
    const isDeclared = node.type === "ClassDeclaration" || FUNCTIONS.includes(node.type);
    // what a pattern takes apart is declared elsewhere
    const isMember = value !== undefined && (node.type !== "Property" || FUNCTIONS.includes(value.type));
    const declared = isDeclared ? (node["id"] as Node | null) : isMember ? key : undefined;
    return declared !== undefined && declared !== null && nameOf(declared) === name;
  });
}

/** Name and value of a variable, a field, a method or a member of an object. */
function memberOf({ type, id, init, key, value }: Node): [Node, Node] | null {
  const pair = type === "VariableDeclarator" ? [id, init] : [key, value];
  const isMember = ["VariableDeclarator", "PropertyDefinition", "MethodDefinition", "Property"].includes(type);
  return isMember && pair[0] && pair[1] ? (pair as [Node, Node]) : null;
}

/** The block of a declared function. */
function bodiesOf(declaration: Node): Node[] {
  const [, value] = memberOf(declaration) ?? [];
  const body = (value ?? declaration)["body"] as Node | undefined;
  return body?.type === "BlockStatement" ? [body] : [];
}

/** How a called function may be named: `enable`, or `starts.enable` where there are several. */
function namesOf(source: string, callee: Node): (string | undefined)[] {
  const name = callee.type === "MemberExpression" ? (callee["property"] as Node) : callee;
  return [nameOf(name), textOf(source, callee)];
}

/** As the source has it: `name`, `#name`, or the text of a string. */
function nameOf({ type, name, value }: Node): string | undefined {
  if (type === "PrivateIdentifier") return `#${name as string}`;
  if (type === "Identifier") return name as string;
  return type === "Literal" && typeof value === "string" ? `"${value}"` : undefined;
}

function* descendants(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node).flat())
    if (typeof child === "object" && child !== null && "type" in child) yield* descendants(child as Node);
}

function textOf(source: string, node: Node | undefined): string {
  return node === undefined ? "" : source.slice(node.start, node.end);
}

/** A place may be in two declarations of the symbol, of which one holds the other. */
function only<T extends { readonly node: Node }>(found: readonly T[], what: string): T {
  const places = new Map(found.map((each) => [each.node.start, each]));
  const [place] = places.values();
  if (place === undefined || places.size > 1) throw new Error(`${what}: ${places.size} places: the rule has moved`);
  return place;
}
