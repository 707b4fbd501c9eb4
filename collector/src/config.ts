import { readFileSync } from "node:fs";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { errorCode } from "@reenact/envelope";
import { parse } from "yaml";
import { z } from "zod";
import { CollectorError } from "./collector-error.ts";
import { type CollectorConfig, collectorConfig } from "./config-schema.ts";

type Tree = Record<string, unknown>;
export type Environment = Readonly<Record<string, string | undefined>>;

export const PREFIX = "REENACT_COLLECTOR_";

/** Variables that name files of settings, and are none themselves. */
const [FILE, BELOW] = [`${PREFIX}CONFIG`, `${PREFIX}DEFAULTS`] as const;

/**
 * Defaults, then a file of `REENACT_COLLECTOR_DEFAULTS`, by which an image has its own, then the file (YAML or JSON,
 * `REENACT_COLLECTOR_CONFIG`), then `REENACT_COLLECTOR_*`, then `given`. Throws `CollectorError` with `BAD_CONFIG` that names the key or
 * the variable.
 */
export function loadConfig(input: { file?: string; env: Environment; given?: Tree }): CollectorConfig {
  // an empty variable is none; an empty --config names a file that is not there
  const file = input.file ?? (input.env[FILE] || undefined);
  const below = input.env[BELOW] || undefined;
  const ofFiles = [below, file].map((each) => (each === undefined ? {} : readTree(each)));
  const tree = [...ofFiles, fromEnvironment(input.env), input.given ?? {}].reduce(merged);
  const parsed = collectorConfig.safeParse(withVariables(tree, input.env));
  if (!parsed.success) throw badConfig(parsed.error, file ?? below, input.env);
  const names = parsed.data.forward.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong(`forward: two destinations are named ${twice}`, file);
  return parsed.data;
}

/** Every setting that has a variable of its own, by the variable's name. */
export function variables(): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  collect(collectorConfig, [], (path) => (found[variableOf(path)] = path));
  return found;
}

const variableOf = (path: readonly PropertyKey[]): string =>
  PREFIX + path.map((part) => String(part).replace(/[A-Z]/g, "_$&").toUpperCase()).join("_");

function collect(
  schema: z.ZodType,
  path: readonly string[],
  leaf: (path: readonly string[], schema: unknown) => void,
): void {
  let inner: unknown = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional) {
    inner = inner.def.innerType;
  }
  if (!(inner instanceof z.ZodObject)) return leaf(path, inner);
  for (const [key, value] of Object.entries(inner.shape)) collect(value as z.ZodType, [...path, key], leaf);
}

function fromEnvironment(env: Environment): Tree {
  const known = variables();
  const texts = new Set<string>();
  collect(collectorConfig, [], (path, schema) => {
    if (schema instanceof z.ZodString) texts.add(variableOf(path));
  });
  const tree: Tree = {};
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || name === FILE || name === BELOW || text === undefined || text === "") continue;
    const path = known[name];
    if (!path) throw new CollectorError("BAD_CONFIG", `${name} is no setting`, `unset ${name}, see OPERATIONS.md`);
    setAt(tree, path, texts.has(name) ? text : valueOf(text));
  }
  return tree;
}

/** Numbers, booleans and lists as YAML writes them; everything else is text. */
function valueOf(text: string): unknown {
  if (!/^(true|false|[0-9][0-9_]*|0?\.[0-9]+|[[{].*)$/s.test(text.trim())) return text;
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}

function setAt(tree: Tree, path: readonly string[], value: unknown): void {
  let at = tree;
  for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as Tree;
  at[path.at(-1)!] = value;
}

function readTree(file: string): Tree {
  let value: unknown;
  try {
    value = parse(readFileSync(file, "utf8"), { maxAliasCount: 0 }) as unknown;
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message.split("\n")[0]! : String(cause), file, cause);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw wrong("it holds no settings", file);
  return value as Tree;
}

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

function merged(below: Tree, above: Tree): Tree {
  const out: Tree = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const old = out[key];
    out[key] = isTree(old) && isTree(value) ? merged(old, value) : value;
  }
  return out;
}

/** `${NAME}` in the headers of destinations: secrets stay out of the file. */
function withVariables(tree: Tree, env: Environment): Tree {
  if (!Array.isArray(tree["forward"])) return tree;
  const forward = tree["forward"].map((each: unknown) => {
    if (!isTree(each) || !isTree(each["headers"])) return each;
    const headers = Object.entries(each["headers"]).map(([key, value]) => [
      key,
      sendable(key, filledIn(value, env, key)),
    ]);
    return { ...each, headers: Object.fromEntries(headers) as Tree };
  });
  return { ...tree, forward };
}

function filledIn(value: unknown, env: Environment, header: string): unknown {
  if (typeof value !== "string") return value;
  return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const found = env[name];
    if (found !== undefined && found !== "") return found;
    throw new CollectorError("BAD_CONFIG", `header ${header} asks for ${name}, which is not set`, `export ${name}=…`);
  });
}

/** Refuses a header value that Node would refuse at each request: a secret from a file often ends with a line feed. The message does not contain the value. */
function sendable(header: string, value: unknown): unknown {
  try {
    validateHeaderName(header);
    if (typeof value === "string") validateHeaderValue(header, value);
    return value;
  } catch (cause) {
    const why =
      errorCode(cause) === "ERR_INVALID_CHAR"
        ? "its value has a control character, such as a line feed at its end"
        : "it is no header name";
    throw new CollectorError(
      "BAD_CONFIG",
      `header ${JSON.stringify(header)} cannot be sent: ${why}`,
      "correct forward.headers, or the variable that it names",
      { cause },
    );
  }
}

function badConfig(error: z.ZodError, file: string | undefined, env: Environment): CollectorError {
  const issue = error.issues[0]!;
  const variable = variableOf(issue.path);
  if (env[variable]) return wrong(`${variable}: ${issue.message}`, undefined, error);
  const where = issue.path.join(".");
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.join(", ") : null;
  if (unknown !== null) return wrong(`${where === "" ? "" : `${where}: `}unknown setting ${unknown}`, file, error);
  return wrong(`${where}: ${issue.message}`, file, error);
}

function wrong(why: string, file: string | undefined, cause?: unknown): CollectorError {
  const where = file === undefined ? "" : ` (${file})`;
  return new CollectorError(
    "BAD_CONFIG",
    `configuration${where}: ${why}`,
    "correct it; OPERATIONS.md lists every setting",
    {
      cause,
    },
  );
}
