import { openDatabase } from "@reenact/capture/recorder";
import { databaseFile } from "./database-file.ts";
import type { Overlay } from "./overlay.ts";
import { patch } from "./patch.ts";
import type { AnyFunction } from "./redirect-function.ts";
import { sqlFiles } from "./sql-files.ts";

export type DatabaseClass = (new (...args: unknown[]) => object) & { prototype: object };

export interface Driver {
  readonly overlay: Overlay;
  applies(): boolean;
  /** reads `file:` names as URIs, and bytes as a name and not as a whole database */
  readonly uri: boolean;
  readonly readOnlyOption: string;
}

/** Lets `new owner[key](file, options)` open the scratch copy; also without `new`, where the driver allows it. */
export function redirectDatabase<K extends string>(
  owner: Record<K, DatabaseClass>,
  key: K,
  driver: Driver,
): () => void {
  const Real = owner[key];
  const redirected = (args: unknown[]): unknown[] => {
    if (!driver.applies() || args.length === 0 || (!driver.uri && typeof args[0] !== "string")) return args;
    return args.with(0, databaseFile(driver.overlay, args[0], isReadOnly(args[1], driver), driver.uri));
  };
  // counted by the name that the program gave, not by that of the copy
  const counted = <T>(args: unknown[], call: () => T): T =>
    openDatabase(args[0], isReadOnly(args[1], driver), Real, call);
  const Redirected: DatabaseClass = new Proxy(Real, {
    construct: (target, args: unknown[], newTarget) =>
      counted(args, () => Reflect.construct(target, redirected(args), newTarget === Redirected ? target : newTarget)),
    apply: (target, self, args: unknown[]): unknown =>
      counted(args, (): unknown => Reflect.apply(target, self, redirected(args))),
  });
  const before = Object.getOwnPropertyDescriptor(Real.prototype, "constructor");
  Object.defineProperty(Real.prototype, "constructor", { ...before, value: Redirected });
  owner[key] = Redirected;
  return () => {
    if (before !== undefined) Object.defineProperty(Real.prototype, "constructor", before);
    if (owner[key] === Redirected) owner[key] = Real;
  };
}

function isReadOnly(options: unknown, { readOnlyOption }: Driver): boolean {
  return typeof options === "object" && options !== null && Reflect.get(options, readOnlyOption) === true;
}

/** Lets the statements of a database that open files themselves open scratch copies. */
export function redirectSql(prototype: object, driver: Driver): (() => void)[] {
  const file = (name: unknown): unknown => databaseFile(driver.overlay, name, false, driver.uri);
  const replace = (name: string): string => String(file(name));
  const exec = patch(prototype, "exec", (real): AnyFunction => {
    return function (this: unknown, sql, ...rest) {
      return Reflect.apply(real, this, [
        driver.applies() && typeof sql === "string" ? sqlFiles(sql, replace).sql : sql,
        ...rest,
      ]);
    };
  });
  const prepare = patch(prototype, "prepare", (real): AnyFunction => {
    return function (this: unknown, text, ...rest) {
      if (!driver.applies() || typeof text !== "string") return Reflect.apply(real, this, [text, ...rest]);
      const { sql, parameters } = sqlFiles(text, replace);
      const statement = Reflect.apply(real, this, [sql, ...rest]);
      if (parameters.length > 0 && isObject(statement))
        for (const name of ["run", "get", "all", "iterate", "bind"]) bindFiles(statement, name, parameters, file);
      return statement;
    };
  });
  // its statements are prepared where no patch sees them
  const tags = patch(prototype, "createTagStore", (real): AnyFunction => {
    return function (this: unknown, ...args) {
      const store = Reflect.apply(real, this, args);
      if (isObject(store)) for (const name of ["run", "get", "all", "iterate"]) guardTag(store, name, driver);
      return store;
    };
  });
  return [exec, prepare, tags];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function bindFiles(
  statement: object,
  name: string,
  parameters: (number | string)[],
  file: (name: unknown) => unknown,
): void {
  const real: unknown = Reflect.get(statement, name);
  if (typeof real !== "function") return;
  const value = (...args: unknown[]): unknown => {
    const bound = [...args];
    const [first] = args;
    if (isObject(first) && !ArrayBuffer.isView(first)) {
      const named: object = Array.isArray(first) ? [...first] : { ...first };
      for (const [key, given] of Object.entries(named))
        if (parameters.some((p) => String(p) === key.replace(/^[:@$]/, ""))) Reflect.set(named, key, file(given));
      bound[0] = named;
    }
    const shift = bound[0] !== first && !Array.isArray(first) ? 1 : 0;
    for (const parameter of parameters)
      if (typeof parameter === "number" && typeof bound[parameter + shift] === "string")
        bound[parameter + shift] = file(bound[parameter + shift]);
    return Reflect.apply(real, statement, bound);
  };
  Object.defineProperty(statement, name, { value, configurable: true, writable: true });
}

function guardTag(store: object, name: string, driver: Driver): void {
  const real: unknown = Reflect.get(store, name);
  if (typeof real !== "function") return;
  const value = (strings: unknown, ...values: unknown[]): unknown => {
    const opens = (file: string): never => {
      throw new Error(`a replay cannot open '${file}' in a scratch copy from a tagged statement`);
    };
    if (driver.applies() && Array.isArray(strings))
      for (const parameter of sqlFiles(strings.join("?"), opens).parameters) opens(String(parameter));
    return Reflect.apply(real, store, [strings, ...values]);
  };
  Object.defineProperty(store, name, { value, configurable: true, writable: true });
}

/** `backup`, with the destination at this place of its arguments. */
export function redirectBackup(owner: object, at: number, driver: Driver): () => void {
  return patch(owner, "backup", (real): AnyFunction => {
    return function (this: unknown, ...args) {
      if (!driver.applies() || args.length <= at) return Reflect.apply(real, this, args);
      let to: unknown;
      try {
        to = databaseFile(driver.overlay, args[at], false, driver.uri);
      } catch (error) {
        return Promise.reject(error);
      }
      return Reflect.apply(real, this, args.with(at, to));
    };
  });
}
