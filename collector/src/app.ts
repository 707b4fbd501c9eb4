import { CloseStack, type Opening } from "./close-stack.ts";
import type { CollectorConfig } from "./config-schema.ts";
import { createLog, type Log } from "./log.ts";
import { type Access, openAccess } from "./open/access.ts";
import { type Answers, openAnswers } from "./open/answers.ts";
import { openForwards } from "./open/forwards.ts";
import { openPorts, openReceiver } from "./open/ports.ts";
import { openRuns, type Runs } from "./open/runs.ts";
import { createStartGate } from "./open/start-gate.ts";
import { isLoopback } from "./receive/allow-list.ts";
import { openStorage } from "./open/storage.ts";
import type { Project } from "./project/project.ts";
import { type PayloadReads, rememberReads } from "./settings/payload-reads.ts";

/** Where a running collector is found. */
export interface CollectorAddress {
  /** of the root, without a slash at its end */
  readonly http: string;
  /** null: not offered */
  readonly grpc: string | null;
  readonly store: string;
  readonly data: string;
  readonly forwards: readonly { readonly name: string; readonly url: string }[];
}

export interface Collector {
  /** Resolves when it takes spans; rejects with what keeps it from starting, and leaves nothing open then. */
  readonly ready: Promise<CollectorAddress>;
  /** Resolves when a part has died without which nothing can be kept; close it then. */
  readonly failed: Promise<Error>;
  /** Takes no more, answers what is under way, seals what has ended, writes it, and ends. Open runs stay in the journal. */
  close(): Promise<void>;
  /** Runs that are in the journal only; once it is closed they wait there for the next one over this folder. */
  left(): number;
  /**
   * A link that signs one browser in without a key, to read: once, within ten minutes, for each tenant of the keys. None where no
   * keys are asked for, or this process serves no pages. Call it once it is ready.
   */
  loginLinks(): Promise<readonly { readonly tenant: string; readonly url: string }[]>;
  /** Reads the file with the keys again, now; it is looked at each second anyway. */
  reload(): void;
}

/** A whole collector in this process. `project`: what its pages show of the folder in which somebody develops; only on loopback. */
export function createCollector(config: CollectorConfig, options: { log?: Log; project?: Project } = {}): Collector {
  const { log, reads } = rememberReads(options.log ?? createLog({ least: config.log }));
  const stack = new CloseStack(log);
  const failure = Promise.withResolvers<Error>();
  const parts: Parts = {};
  const project = options.project !== undefined && isLoopback(config.listen.host) ? options.project : null;
  const opening = { log, stack, fail: failure.resolve };
  const ready = start(config, opening, { parts, project, payloadReads: reads }).catch(async (error: unknown) => {
    await stack.close();
    throw error;
  });
  // a caller that closes without waiting does not need the reason
  ready.catch(() => {});
  return {
    ready,
    failed: failure.promise,
    async close() {
      await ready.catch(() => {});
      await stack.close();
    },
    async loginLinks() {
      const { http } = await ready;
      const { access, answers } = parts;
      if (!access?.keys.required || answers === undefined || !config.roles.includes("query")) return [];
      return access.keys.tenants().map((tenant) => ({ tenant, url: `${http}/#login=${answers.loginCode(tenant)}` }));
    },
    left: () => parts.runs?.left() ?? 0,
    reload: () => parts.access?.reload(),
  };
}

interface Parts {
  access?: Access;
  runs?: Runs;
  answers?: Answers;
}

/** Opens one part after another; they are closed in the reverse order. `parts` gets what can be used before the end. */
async function start(
  config: CollectorConfig,
  opening: Opening,
  { parts, project, payloadReads }: { parts: Parts; project: Project | null; payloadReads: PayloadReads },
): Promise<CollectorAddress> {
  const access = (parts.access = openAccess(config, opening));
  const gate = createStartGate();
  const storage = await openStorage(config, gate, opening);
  const runs = (parts.runs = openRuns(config, storage, opening));
  const forwards = await openForwards(config, storage, runs, opening);
  // the port stays closed for a short while, so that an error that refuses the start comes first
  await runs.begin(gate);
  const receiver = openReceiver(config, { access, storage }, opening);
  const answers = (parts.answers = openAnswers(
    config,
    { access, storage, runs, forwards, receiver, project, payloadReads },
    opening,
  ));
  const address = await openPorts(config, { access, receiver, answers }, opening);
  return {
    ...address,
    store: config.store,
    data: config.data,
    forwards: config.forward.map(({ name, url }) => ({ name, url })),
  };
}
