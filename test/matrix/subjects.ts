import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HOOKS } from "@reenact/hooks";
import { PROVIDERS } from "@reenact/providers";

/** A client or a framework, with the cases that it is tried in. */
export interface Subject {
  readonly kind: "provider" | "framework";
  /** name of its row in the registry */
  readonly row: string;
  readonly name: string;
  /** the file that exports it */
  readonly file: string;
  /** the host name that it asks; undefined: the address of this machine */
  readonly host: string | undefined;
  /** its answers count tokens */
  readonly tokens: boolean;
  readonly cases: readonly string[];
  /** cases that it does not have, with the reason */
  readonly cannot: Readonly<Record<string, string>>;
}

interface Exported {
  readonly host?: string;
  readonly tokens?: boolean;
  readonly cannot?: Readonly<Record<string, string>>;
}

export const CASES = {
  provider: ["plain", "stream", "tools", "parallel", "error", "retry", "abort", "timeout", "cut"],
  framework: ["plain", "stream", "parallel", "failing", "abort", "retry", "approval"],
} as const;

const root = fileURLToPath(new URL("../../", import.meta.url));

/** All of them: a row of a registry without a file of cases is an error. */
export async function subjects(): Promise<readonly Subject[]> {
  const frameworks = HOOKS.filter(({ name }) => name.startsWith("frameworks/"));
  const files = [
    ...PROVIDERS.map(({ name }) => [name, join(root, "packages/providers/src", name, "fixtures/clients.mjs")] as const),
    ...frameworks.map(({ name }) => [name, join(root, "packages/hooks/src", name, "fixtures/cases.mjs")] as const),
  ];
  const all: Subject[] = [];
  for (const [row, file] of files) {
    if (!existsSync(file)) throw new Error(`${row} has no cases: ${file} is missing`);
    const { CLIENTS, FRAMEWORKS } = (await import(file)) as Record<
      string,
      Readonly<Record<string, Exported>> | undefined
    >;
    const kind = CLIENTS === undefined ? "framework" : "provider";
    for (const [name, { host, tokens = true, cannot = {} }] of Object.entries(CLIENTS ?? FRAMEWORKS ?? {}))
      all.push({ kind, row, name, file, host, tokens, cannot, cases: CASES[kind].filter((each) => !(each in cannot)) });
  }
  return all;
}
