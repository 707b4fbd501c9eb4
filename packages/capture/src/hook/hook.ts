import type { AnyFunction, HookedFile, VersionRange } from "./hooked-file.ts";
import type { HandlerJobs } from "./handler-jobs.ts";
import type { JobSource } from "./job-source.ts";
import type { JobTaker } from "./job-taker.ts";
import type { MadeObject } from "./watch-made.ts";
import type { WireDriver } from "./wire/wire-driver.ts";

/** A method of a class whose calls are steps. A replay serves their results, and the method does not run. */
export interface MethodStep {
  readonly kind: "TOOL";
  /** only calls that this method of the same instance makes are steps; it runs in a replay too */
  readonly within: string;
  readonly method: string;
  /** name of the step */
  name(instance: object): string;
  /** arguments that are recorded and compared */
  args(given: readonly unknown[]): readonly unknown[];
  /** id of the model's tool call that the call carries out */
  callId(given: readonly unknown[]): string | undefined;
  /** the user's function behind the method: its source text tells a replay whether the tool has changed */
  body(instance: object): unknown;
}

/** A function that runs a tool, as a library holds it. */
export interface HeldTool {
  /** name of the step */
  readonly name: string;
  readonly run: AnyFunction;
  /** the user's function, whose source text tells a replay whether the tool has changed; default: `run` */
  readonly source?: unknown;
  /** `this` of the function; default: the caller's */
  readonly self?: unknown;
  /** arguments that are recorded and compared; default: the first, the others being the library's own */
  args?(given: readonly unknown[]): readonly unknown[];
  /** id of the model's tool call that the call carries out */
  callId?(given: readonly unknown[]): string | undefined;
}

/** Gives a function to call in place of `tool.run`, each call of which is a step. */
export type WatchTool = (tool: HeldTool) => AnyFunction;

/**
 * A function of a library that is given tools, or gives them out. It runs in a replay too; the tools do not. Arguments and
 * result belong to the agent: what is changed in them is changed in a copy.
 */
export interface ToolHolder {
  readonly kind: "TOOL";
  /** a method of the class that `files` gives; absent: what `files` gives is the function, and its name can be assigned to */
  readonly method?: string;
  args?(given: readonly unknown[], watch: WatchTool): readonly unknown[];
  result?(value: unknown, watch: WatchTool): unknown;
}

/** What a person decided, as a library was told. */
export type Decision = CallDecision | InterruptDecision;

/** A person approved or rejected a call of a tool. */
export interface CallDecision {
  /** name of the tool */
  readonly name: string;
  /** what the person was asked about */
  readonly arguments: unknown;
  readonly approved: boolean;
  /** it holds for all later calls of the tool, too */
  readonly always?: boolean;
  /** the model's id of the call */
  readonly call?: string;
  readonly reason?: string;
}

/** A person answered where the program had stopped. */
export interface InterruptDecision {
  readonly name: string;
  /** absent: the library was given the answer before it asked again */
  readonly asked?: unknown;
  readonly answer: unknown;
}

/** A function through which a library learns what a person decided. It runs in a replay too. */
export interface DecisionHolder {
  /** methods of the class that `files` gives; absent: what `files` gives is the function, and its name can be assigned to */
  readonly methods?: readonly string[];
  /** where the function throws, the program stops until a person has decided */
  readonly stops?: true;
  /** names of tools of which the library may hold calls back for a person: those that it has not run have no record */
  waiting?(given: readonly unknown[]): readonly string[];
  /** read after the function has returned; not called where it threw */
  decisions?(given: readonly unknown[], result: unknown, method: string): readonly Decision[];
}

/**
 * A class whose `connect(transport)` begins to exchange JSON-RPC messages over a transport with `start`, `send`, `close` and the
 * handlers `onmessage`, `onclose`, `onerror`. What a client exchanges with its server are steps.
 */
export interface MessageChannel {
  /** whether the instance asks, and does not serve */
  isClient(instance: object): boolean;
  /** whether the server behind the transport is part of the program: then it runs in a replay too */
  isOwn(transport: object): boolean;
  /** functions that ask the server before `connect`, in what form it speaks; their names can be assigned to */
  readonly negotiation: readonly HookedFile[];
}

/** A place in a library where the recorder takes part, as data. */
export interface Hook {
  /** unique; the folder of the row */
  readonly name: string;
  /** for people: what is recorded or withheld there */
  readonly title: string;
  /** modules of npm packages; each is looked at when it is loaded */
  readonly files?: readonly HookedFile[];
  /** a module of Node, looked at when the program asks for it */
  readonly builtin?: string;
  /** timers that this module of Node sets for itself are none of the program's: it is loaded with Node's own functions */
  readonly keepsTimers?: true;
  /** versions of the packages that are hooked, `from` inclusive; absent: every version that has the value */
  readonly versions?: VersionRange;
  /** steps of the class that `files` gives */
  readonly step?: MethodStep;
  /** steps of the tools that a function of `files` holds */
  readonly tools?: ToolHolder;
  /** steps of the decisions of people that a function of `files` is told */
  readonly decisions?: DecisionHolder;
  /** steps of what clients of the class that `files` gives exchange with their servers */
  readonly channel?: MessageChannel;
  /** steps of what instances of the class that `files` gives exchange with a database */
  readonly wire?: WireDriver;
  /** runs of the jobs that instances of the class that `files` gives hand to the program */
  readonly jobs?: JobSource;
  /** runs of the jobs that a function of the program gets, which a method of the class that `files` gives takes */
  readonly jobTaker?: JobTaker;
  /** objects that methods of the class that `files` gives make: what they ask are steps, what they hand out are jobs */
  readonly made?: readonly MadeObject[];
  /** runs of the jobs that the runtime of a platform hands to a function of the program */
  readonly handler?: HandlerJobs;
  /** modules in CommonJS that use a timer function of Node, the value, for what several callers wait for */
  readonly sharedTimers?: readonly (HookedFile & { readonly value: "setImmediate" })[];
  /** the library's own error classes, which it asks `instanceof` of: what a replay throws is of them again */
  readonly errors?: readonly HookedFile[];
  /** for hooks that record no step: changes the value, and adds functions that undo this */
  patch?(value: never, undos: (() => void)[]): void;
}
