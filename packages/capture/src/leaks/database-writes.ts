import { effectFrame } from "../context.ts";
import { guarded } from "../guard.ts";
import { replaceMethod } from "../ambient/replace-method.ts";

type Method = (this: object, ...args: unknown[]) => unknown;

/** A statement that may write. A word in a text of the statement counts, too: then a read is taken for a write. */
const WRITES = /\b(?:insert|update|delete|replace|create|drop|alter|vacuum|reindex)\b/i;

/** Databases and statements, by object, to the file as the program names it. */
const files = new WeakMap<object, string>();
const undos: (() => void)[] = [];

/** Notes in which tool bodies this database is written. False: a driver of another shape, of which nothing is noted. */
export function watchWrites(database: object, file: string): boolean {
  const owner = ownerOf(database, "prepare");
  if (owner === null || ownerOf(database, "exec") !== owner) return false;
  files.set(database, file);
  undos.push(
    replaceMethod<Method>(owner, "exec", afterExec, "count"),
    replaceMethod<Method>(owner, "prepare", afterPrepare, "count"),
  );
  return true;
}

export function forgetWrites(): void {
  for (const undo of undos.splice(0).reverse()) undo();
}

function afterExec(real: Method): Method {
  return function exec(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    if (typeof args[0] === "string" && WRITES.test(args[0])) noteWrite(this);
    return out;
  };
}

function afterPrepare(real: Method): Method {
  return function prepare(this: object, ...args) {
    const statement = Reflect.apply(real, this, args);
    const file = files.get(this);
    if (file !== undefined && typeof statement === "object" && statement !== null)
      guarded("databases", undefined, () => watchStatement(statement, file));
    return statement;
  };
}

function watchStatement(statement: object, file: string): void {
  files.set(statement, file);
  const owner = ownerOf(statement, "run");
  if (owner === null) return;
  undos.push(replaceMethod<Method>(owner, "run", afterRun, "count"));
  for (const name of ["get", "all", "iterate"]) undos.push(replaceMethod<Method>(owner, name, afterRead, "count"));
}

function afterRun(real: Method): Method {
  return function run(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    const changes = (out as { changes?: unknown } | undefined)?.changes;
    if ((changes !== 0 && changes !== 0n) || WRITES.test(sqlOf(this))) noteWrite(this);
    return out;
  };
}

function afterRead(real: Method): Method {
  return function read(this: object, ...args) {
    const out = Reflect.apply(real, this, args);
    if (WRITES.test(sqlOf(this))) noteWrite(this);
    return out;
  };
}

function sqlOf(statement: object): string {
  const { sourceSQL, source } = statement as { sourceSQL?: unknown; source?: unknown };
  return typeof sourceSQL === "string" ? sourceSQL : typeof source === "string" ? source : "";
}

function noteWrite(by: object): void {
  const file = files.get(by);
  const frame = file === undefined ? null : effectFrame();
  if (file !== undefined && frame !== null)
    guarded("databases", undefined, () => frame.run?.databases.wrote(file, frame.scope));
}

/** The prototype, or the object itself, that has this method as its own. */
function ownerOf(object: object, method: string): object | null {
  for (let owner: object | null = object; owner !== null; owner = Object.getPrototypeOf(owner) as object | null)
    if (Object.hasOwn(owner, method)) return owner;
  return null;
}
