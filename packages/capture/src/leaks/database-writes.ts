import { effectFrame } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import { replaceMethod } from "../patch/replace-method.ts";

type Method = (this: object, ...args: unknown[]) => unknown;

/** A statement that may write. A word in a text of the statement counts, too: then a read is taken for a write. */
const WRITES = /\b(?:insert|update|delete|replace|create|drop|alter|vacuum|reindex)\b/i;
/** Pragmas whose value is kept in the file. */
const SETS =
  /\bpragma\s+(?:\w+\s*\.\s*)?(?:user_version|application_id|auto_vacuum|encoding|page_size|journal_mode)\s*[=(]/i;
const writes = (sql: string): boolean => WRITES.test(sql) || SETS.test(sql);

interface Statement {
  readonly file: string;
  /** by its text */
  readonly writes: boolean;
}

/** Open databases, to the file as the program names it. */
const databases = new WeakMap<object, string>();
const statements = new WeakMap<object, Statement>();
/** Prototypes that are patched. */
let patched = new WeakSet<object>();
const undos: (() => void)[] = [];

/** Notes in which tool bodies this database is written. False: a driver of another shape, of which nothing is noted. */
export function watchWrites(database: object, file: string): boolean {
  const owner = ownerOf(database, "prepare");
  if (owner === null || ownerOf(database, "exec") !== owner) return false;
  databases.set(database, file);
  const hasPragma = ownerOf(database, "pragma") === owner;
  patch(owner, { exec: afterExec, prepare: afterPrepare, ...(hasPragma && { pragma: afterPragma }) });
  return true;
}

export function forgetWrites(): void {
  for (const undo of undos.splice(0).reverse()) undo();
  patched = new WeakSet();
}

function patch(owner: object, methods: Readonly<Record<string, (real: Method) => Method>>): void {
  if (patched.has(owner)) return;
  patched.add(owner);
  for (const [name, make] of Object.entries(methods)) undos.push(replaceMethod<Method>(owner, name, make, "count"));
}

function afterExec(real: Method): Method {
  return function exec(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    const [sql] = args;
    if (typeof sql === "string" && writes(sql)) noteWrite(databases.get(this));
    return out;
  };
}

/** Of better-sqlite3: the statement comes without its first word. */
function afterPragma(real: Method): Method {
  return function pragma(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    if (writes(`pragma ${String(args[0])}`)) noteWrite(databases.get(this));
    return out;
  };
}

function afterPrepare(real: Method): Method {
  return function prepare(this: object, ...args) {
    const statement = Reflect.apply(real, this, args);
    const file = databases.get(this);
    if (file !== undefined && typeof statement === "object" && statement !== null)
      guarded("databases", undefined, () => watchStatement(statement, file, args[0]));
    return statement;
  };
}

function watchStatement(statement: object, file: string, sql: unknown): void {
  statements.set(statement, { file, writes: typeof sql === "string" && writes(sql) });
  const owner = ownerOf(statement, "run");
  if (owner !== null) patch(owner, { run: afterRun, get: afterRead, all: afterRead, iterate: afterRead });
}

function afterRun(real: Method): Method {
  return function run(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    const statement = statements.get(this);
    if (statement !== undefined && (statement.writes || changedRows(out))) noteWrite(statement.file);
    return out;
  };
}

function afterRead(real: Method): Method {
  return function read(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    const statement = statements.get(this);
    if (statement?.writes === true) noteWrite(statement.file);
    return out;
  };
}

/** Whether the result of `run` counts changed rows, or is of another shape. */
function changedRows(out: unknown): boolean {
  const changes = guarded("databases", undefined, () => (out as { changes?: unknown } | undefined)?.changes);
  return changes !== 0 && changes !== 0n;
}

function noteWrite(file: string | undefined): void {
  const frame = file === undefined ? null : effectFrame();
  if (file !== undefined && frame !== null)
    guarded("databases", undefined, () => frame.run?.databases.wrote(file, frame.scope));
}

/** The prototype, or the object itself, that has this method as its own. */
function ownerOf(object: object, method: string): object | null {
  for (let owner: object | null = object; owner !== null; owner = Reflect.getPrototypeOf(owner))
    if (Object.hasOwn(owner, method)) return owner;
  return null;
}
