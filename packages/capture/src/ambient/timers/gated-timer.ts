import { AsyncResource } from "node:async_hooks";
import type { RunFrame, RunContext } from "../../run/context.ts";
import type { Delivery } from "../../source/gate.ts";
import { originals } from "../../patch/originals.ts";
import { countOwed } from "./owed-timers.ts";
import { inTimerFlow } from "./timer-flow.ts";
import { sawTime, virtualNow } from "../clock/virtual-now.ts";

export interface TimerPlan {
  readonly type: "Timeout" | "Immediate";
  /** milliseconds, as the agent gave it */
  readonly delay: unknown;
  readonly repeat: boolean;
  /** the function that the agent called, where it is not `setTimeout` or `setInterval` */
  readonly what?: string;
  readonly callback: () => void;
}

const LONGEST_MS = 2 ** 31 - 1;

/**
 * A timer of a run. It gets a creation number, and an interval a new one for each firing, taken just before its
 * callback runs; a refreshed timer keeps its number while it is owed and takes a new one after it has fired. So
 * record and replay count alike. Recording, a native timer rings the gate; in a replay none sleeps: the firing
 * is owed from the start.
 */
export class GatedTimer {
  readonly #run: RunContext;
  readonly #scope: number;
  readonly #plan: TimerPlan;
  #resource: AsyncResource;
  #native: NodeJS.Timeout | NodeJS.Immediate | null = null;
  #delay: unknown;
  #number = -1;
  /** the ring that may still fire; a refresh takes a ring back that waits for its turn */
  #ring = 0;
  #state: "owed" | "fired" | "cleared" = "owed";
  #referenced = true;
  #due = 0;

  constructor(frame: RunFrame, plan: TimerPlan) {
    this.#run = frame.run;
    this.#scope = frame.scope;
    this.#plan = plan;
    this.#delay = plan.delay;
    this.#resource = this.#newResource();
    countOwed(this.#run, 1);
    this.#arm();
    this.#delay = normal(plan.delay);
    if (plan.type === "Immediate" || this.#run.over) return;
    const what = plan.what ?? (plan.repeat ? "setInterval" : "setTimeout");
    this.#run.source.delay(Math.trunc(normal(plan.delay)), this.#scope, what);
  }

  get referenced(): boolean {
    return this.#referenced;
  }

  setReferenced(referenced: boolean): void {
    this.#referenced = referenced;
    if (referenced) this.#native?.ref();
    else this.#native?.unref();
  }

  clear(): void {
    if (this.#state === "cleared") return;
    const owed = this.#state === "owed";
    this.#state = "cleared";
    this.#stopNative();
    if (!owed) return;
    countOwed(this.#run, -1);
    this.#resource.emitDestroy();
  }

  refresh(): void {
    if (this.#state === "cleared") return;
    if (this.#state === "fired") {
      this.#state = "owed";
      countOwed(this.#run, 1);
      this.#resource = this.#newResource();
      this.#arm();
      return;
    }
    this.#ring++;
    this.#due = virtualNow(this.#run) + normal(this.#delay);
    if (this.#native !== null) this.#startNative();
  }

  #arm(): void {
    const { source } = this.#run;
    source.gate.touch();
    this.#number = source.next("t", this.#scope);
    this.#ring++;
    // after the end of its run a timer has no recorded order
    if (!source.virtualTimers || this.#run.over) return this.#startNative();
    if (normal(this.#delay) !== this.#delay && this.#plan.type === "Timeout") warnLikeNode(this.#delay);
    this.#due = virtualNow(this.#run) + (this.#plan.type === "Immediate" ? 0 : normal(this.#delay));
    source.gate.offer(this.#delivery(true));
  }

  #newResource(): AsyncResource {
    const { type } = this.#plan;
    return inTimerFlow(this.#run.journal.position, () => new AsyncResource(type, { requireManualDestroy: true }));
  }

  /** In the run's own context: what a throwing callback sets off (`uncaughtException`) happens inside the run. */
  #startNative(delay: unknown = this.#delay): void {
    this.#stopNative();
    this.#run.enter(() => {
      const ring = (): void => this.#rang();
      this.#native =
        this.#plan.type === "Immediate" ? originals.setImmediate(ring) : originals.setTimeout(ring, delay as number);
    });
    if (!this.#referenced) this.#native?.unref();
  }

  #stopNative(): void {
    if (this.#native === null) return;
    if (this.#plan.type === "Immediate") originals.clearImmediate(this.#native as NodeJS.Immediate);
    else originals.clearTimeout(this.#native as NodeJS.Timeout);
    this.#native = null;
  }

  #rang(): void {
    const delivery = this.#delivery(false);
    if (this.#run.over) delivery.fire();
    else this.#run.source.gate.enter(delivery);
  }

  #delivery(virtual: boolean): Delivery {
    const ring = this.#ring;
    const delivery: Delivery = {
      kind: "t",
      id: this.#number,
      part: 0,
      scope: this.#scope,
      dead: () => this.#state !== "owed" || (!virtual && ring !== this.#ring),
      ...(this.#plan.type === "Immediate" && { atOnce: true }),
      referenced: () => this.#referenced,
      fire: () => this.#fire(virtual),
    };
    if (!virtual) return delivery;
    const goReal = (now: number): void => this.#startNative(Math.max(1, this.#due - now));
    return Object.defineProperty(Object.assign(delivery, { goReal }), "due", {
      get: () => this.#due,
      enumerable: true,
    });
  }

  #fire(virtual: boolean): void {
    if (virtual) sawTime(this.#run, this.#due);
    const resource = this.#resource;
    if (this.#plan.repeat) this.#arm();
    else {
      this.#state = "fired";
      countOwed(this.#run, -1);
      this.#native = null;
      resource.emitDestroy();
    }
    resource.runInAsyncScope(this.#plan.callback);
  }
}

/** As Node reads a delay: at least 1 ms, and 1 ms for what is no delay. */
function normal(delay: unknown): number {
  const ms = Number(delay);
  return ms >= 1 && ms <= LONGEST_MS ? ms : 1;
}

/** A delay that Node warns about must do so in a replay too. */
function warnLikeNode(delay: unknown): void {
  originals.clearTimeout(originals.setTimeout(() => {}, delay as number));
}
