import type { ScanContext } from "../scrub/scan-context.ts";
import { below, joined, type Nesting } from "../scrub/nesting.ts";

/** The nesting of a field of a form: `user[age]` and `user.age` also stand at `user/age`. */
export function belowField(nest: Nesting, name: string, { paths }: ScanContext): Nesting {
  const { path } = nest;
  if (path === null || paths === null || !/[[.]/.test(name)) return below(nest, name);
  const brackets = name.replace(/\[([^\]]{0,128})\]/g, "/$1");
  const ways = [name, brackets, brackets.replaceAll(".", "/")].map((way) => joined(path, way.replace(/\/+$/, "")));
  const found = ways.find((way) => paths.of(way) === "deny") ?? ways.find((way) => paths.of(way) === "allow");
  return { ...nest, path: found ?? joined(path, name) };
}
