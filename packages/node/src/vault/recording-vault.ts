import { createSecretKey, type KeyObject } from "node:crypto";
import type { Scrubber } from "@reenact/capture";
import {
  epochNow,
  live,
  mayBeKept,
  originals,
  warnOnce,
  type TokenValues,
  type Vault,
} from "@reenact/capture/recorder";
import { findTokens, isSystemError, makeFolder } from "@reenact/envelope";
import type { OriginalsWanted } from "../redact/scrub-work.ts";
import { originalFs } from "../spool/original-fs.ts";
import { pruneVaults, vaultFolder, vaultPath } from "./vault-folder.ts";
import { type VaultEntry, vaultEntry, vaultHead } from "./vault-file.ts";
import { localKey, randomKey, wrapForRecipient, wrapLocal, type WrappedKey } from "./vault-key.ts";

export interface RecordingVaultOptions {
  /** folder of the store */
  readonly store: string;
  /** replaces secrets alone; made when the first value is to be kept */
  readonly scrubber: () => Scrubber;
  /** how another thread finds what may be kept of long texts; null: none does */
  readonly elsewhere: OriginalsWanted | null;
  readonly keeps: ReadonlySet<string>;
  /** the store's own key may open it */
  readonly local: boolean;
  readonly recipient: string | null;
  readonly days: number;
}

export interface RecordingVault extends Vault {
  /** The run is being written: its originals may be kept. */
  started(run: string): void;
  over(run: string): void;
  /** `sensitive(value)` */
  addKnown(value: string, type?: string): void;
  /** Variables as the program read them, where the record has others. */
  environment(redacted: Readonly<Record<string, unknown>>, real: (scrubber: Scrubber) => Record<string, unknown>): void;
  /** How another thread finds what may be kept; null: nothing is. */
  elsewhere(): OriginalsWanted | null;
}

interface OpenVault {
  /** as OpenSSL holds it: to hand over its bytes takes longer than to seal a small entry */
  readonly dataKey: KeyObject;
  fd: number;
  entries: number;
}

interface HeldRun {
  vault: OpenVault | null;
  readonly known: Set<string>;
  environment: string;
}

const NOTHING: RecordingVaultOptions = {
  store: "",
  scrubber: () => {
    throw new Error("no run has started");
  },
  keeps: new Set(),
  elsewhere: null,
  local: false,
  recipient: null,
  days: 0,
};

/** Tokens of a run that are known to be kept; behind so many it is asked anew. */
const MOST_KNOWN = 50_000;

/**
 * The vaults of a process's runs: one file each, made with its first value. Each entry is sealed before it is written.
 * Any fault ends it, never the recording. `load` is called when the first run starts; null: nothing is kept.
 */
export function recordingVault(load: () => RecordingVaultOptions | null): RecordingVault {
  const runs = new Map<string, HeldRun>();
  let options = NOTHING;
  const early: [string, string | undefined][] = [];
  let scrubber: ReturnType<RecordingVaultOptions["scrubber"]> | null = null;
  let local: Buffer | null = null;
  let isLoaded = false;
  let isTidy = false;
  let off = false;

  function drop(run: string, { vault }: HeldRun): void {
    if (vault !== null) guard(undefined, () => originalFs.closeSync(vault.fd));
    runs.delete(run);
  }

  function guard<T>(otherwise: T, work: () => T): T {
    if (off) return otherwise;
    try {
      return live(work);
    } catch (error) {
      off = true;
      // a message may quote a text
      const why = !isSystemError(error) ? "a fault" : (error as Error).message;
      warnOnce("vault", `originals of redacted values are not kept: ${why}; the recording continues`);
      return otherwise;
    }
  }

  function ready(): Scrubber {
    if (scrubber === null) {
      scrubber = options.scrubber();
      for (const [value, type] of early) scrubber.addKnown(value, type);
    }
    return scrubber;
  }

  function open(run: string): OpenVault {
    const dataKey = randomKey();
    const keys: WrappedKey[] = [];
    if (options.local) {
      local ??= localKey(options.store, true);
      if (local !== null) keys.push(wrapLocal(dataKey, local, run));
    }
    if (options.recipient !== null) keys.push(wrapForRecipient(dataKey, options.recipient, run));
    makeFolder(originalFs, vaultFolder(options.store));
    const fd = originalFs.openSync(vaultPath(options.store, run), "ax", 0o600);
    append(fd, vaultHead({ v: 1, run, made: Math.round(epochNow()), kid: ready().kid, keys }));
    if (!isTidy) originals.setImmediate(() => guard(undefined, () => pruneVaults(options.store, options.days))).unref();
    isTidy = true;
    return { dataKey: createSecretKey(dataKey), fd, entries: 0 };
  }

  const newOf = (run: string, values: TokenValues): TokenValues =>
    Object.fromEntries(Object.entries(values).filter(([token]) => runs.get(run)?.known.has(token) !== true));

  /** `packed`: another entry, before this one */
  function write(run: string, entry: VaultEntry, packed?: Uint8Array): void {
    guard(undefined, () => {
      const held = runs.get(run);
      if (held === undefined) return;
      held.vault ??= open(run);
      const { dataKey, fd } = held.vault;
      for (const each of [packed, entry]) {
        if (each === undefined || isEmpty(each)) continue;
        append(fd, vaultEntry(dataKey, held.vault.entries, run, each));
        held.vault.entries++;
      }
      if (held.known.size > MOST_KNOWN) held.known.clear();
      for (const token of Object.keys(entry.values ?? {})) held.known.add(token);
    });
  }

  return {
    get scrubber() {
      return ready();
    },
    takes: (run) => !off && runs.has(run),
    keeps: (type) => options.keeps.has(type),
    knows: (run, token) => runs.get(run)?.known.has(token) === true,
    step(run, kept, values, packed) {
      const known = some(newOf(run, values));
      // a later entry of a step would replace the packed one
      if (packed !== undefined) write(run, { kind: "root", ...known }, packed);
      else write(run, { kind: "step", ...kept, ...known });
    },
    root: (run, kept, values) => write(run, { kind: "root", ...kept, ...some(newOf(run, values)) }),
    started(run) {
      if (!isLoaded) {
        isLoaded = true;
        const loaded = guard(null, load);
        if (loaded === null) off = true;
        else options = loaded;
      }
      if (!off) runs.set(run, { vault: null, known: new Set(), environment: "" });
    },
    over(run) {
      const held = runs.get(run);
      if (held !== undefined) drop(run, held);
    },
    addKnown(value, type) {
      if (scrubber === null) early.push([value, type]);
      else scrubber.addKnown(value, type);
    },
    environment(redacted, real) {
      guard(undefined, () => {
        if (runs.size === 0) return;
        const raw = real(AS_IT_IS);
        const isHeld = (name: string): boolean => mayHold(redacted[name], raw[name], options.keeps);
        const names = Object.keys(redacted).filter(isHeld);
        if (names.length === 0) return;
        const again = real(ready());
        const vault = { keeps: (type: string) => options.keeps.has(type) };
        const environment: Record<string, string> = {};
        for (const name of names) {
          const [value, other] = [redacted[name], again[name]];
          if (typeof value === "string" && typeof other === "string" && mayBeKept(value, other, vault))
            environment[name] = other;
        }
        const text = JSON.stringify(environment);
        for (const [run, held] of runs) {
          if (held.environment === text || text === "{}") continue;
          held.environment = text;
          write(run, { kind: "root", environment });
        }
      });
    },
    elsewhere: () => (off ? null : options.elsewhere),
  };
}

const AS_IT_IS: Scrubber = {
  policy: "",
  rules: "",
  kid: "",
  addKnown: () => {},
  scrub: (text) => ({ text, edits: [], counts: {} }),
};

/** Something of a value was replaced, and not only by tokens of types that are never kept. A mask has no token. */
function mayHold(redacted: unknown, raw: unknown, keeps: ReadonlySet<string>): boolean {
  if (typeof redacted !== "string" || redacted === raw) return false;
  const tokens = findTokens(redacted);
  return tokens.length === 0 || tokens.some(({ type }) => keeps.has(type));
}

const isEmpty = (entry: VaultEntry | Uint8Array): boolean =>
  !(entry instanceof Uint8Array) && Object.keys(entry).length === 1;

function some(values: Readonly<Record<string, string>>): { values?: Readonly<Record<string, string>> } {
  return Object.keys(values).length === 0 ? {} : { values };
}

function append(fd: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length;) from += originalFs.writeSync(fd, bytes, from, bytes.length - from);
}
