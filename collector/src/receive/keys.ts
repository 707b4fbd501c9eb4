import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { CollectorError } from "../collector-error.ts";
import type { Quota } from "./quota.ts";

/** ingest: send spans. read: the read API. admin: keep, flag, and what changes things. metrics: `/metrics` alone. */
export const SCOPES = ["ingest", "read", "admin", "metrics"] as const;
export type Scope = (typeof SCOPES)[number];

/** The file that `keys` of the configuration names: YAML or JSON. A key itself is never stored. */
export const keyFile = z.strictObject({
  keys: z
    .array(
      z.strictObject({
        /** for logs */
        name: z.string().min(1).max(64),
        /** SHA-256 of the key's UTF-8, 64 hex digits */
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        scopes: z.array(z.enum(SCOPES)).min(1),
        /** whose runs it sends and sees */
        tenant: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
        /** what it may send; ten seconds' worth at once */
        quota: z
          .strictObject({
            requestsPerSecond: z.number().positive().optional(),
            bytesPerSecond: z.number().positive().optional(),
          })
          .optional(),
      }),
    )
    .min(1)
    .superRefine((keys, context) => {
      const names = new Map<string, string>();
      for (const { name, sha256 } of keys) {
        const other = names.get(sha256);
        if (other !== undefined) context.addIssue({ code: "custom", message: `${other} and ${name} are the same key` });
        names.set(sha256, name);
      }
    }),
});

/** The sender or caller that a key stands for. */
export interface Identity {
  /** name of the key; null where none are set */
  key: string | null;
  tenant: string;
  scopes: ReadonlySet<Scope>;
  /** absent: none */
  quota?: Quota | undefined;
}

export type Admission = { is: "known"; identity: Identity } | { is: "unauthenticated" | "forbidden"; message: string };

export interface Keys {
  /** false: everybody may do everything, which only loopback may offer */
  required: boolean;
  /** `authorization`: the header's value */
  admit(authorization: string | undefined, scope: Scope): Admission;
  /** Those of a tenant, by name. */
  list(tenant: string): Identity[];
  /** Those that some key may read. */
  tenants(): string[];
}

export function digestKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** No keys: everybody is this tenant. */
export function openDoor(tenant: string): Keys {
  const identity: Identity = { key: null, tenant, scopes: new Set(SCOPES) };
  return { required: false, admit: () => ({ is: "known", identity }), list: () => [], tenants: () => [tenant] };
}

export function createKeys(file: z.infer<typeof keyFile>): Keys {
  // looked up by digest: how long that takes says nothing about a key
  const known = new Map<string, Identity>(
    file.keys.map(({ name, sha256, scopes, tenant, quota }) => [
      sha256,
      { key: name, tenant, scopes: new Set(scopes), quota },
    ]),
  );
  return {
    required: true,
    admit: (authorization, scope) => {
      const key = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization ?? "")?.[1];
      const identity = key === undefined ? undefined : known.get(digestKey(key));
      if (!identity) {
        const message = authorization === undefined ? "no key: send Authorization: Bearer <key>" : "unknown key";
        return { is: "unauthenticated", message };
      }
      if (identity.scopes.has(scope)) return { is: "known", identity };
      return { is: "forbidden", message: `the key ${identity.key} has no scope ${scope}` };
    },
    tenants: () => [
      ...new Set([...known.values()].filter(({ scopes }) => scopes.has("read")).map(({ tenant }) => tenant)),
    ],
    list: (tenant) =>
      [...known.values()]
        .filter((identity) => identity.tenant === tenant)
        .toSorted((a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1)),
  };
}

/** Throws `BAD_CONFIG` with what is wrong with the file. */
export function loadKeys(path: string): Keys {
  let document: unknown;
  try {
    document = parse(readFileSync(path, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CollectorError("BAD_CONFIG", `keys: ${path}: ${why}`, "make the file readable, or take `keys` out");
  }
  const parsed = keyFile.safeParse(document);
  if (parsed.success) return createKeys(parsed.data);
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new CollectorError("BAD_CONFIG", `keys: ${path}: ${where}: ${issue?.message}`, "correct the file");
}
