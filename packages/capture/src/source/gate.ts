/**
 * How a function continues after an `await`: on a frame of `process.nextTick` ("tick"), as after an event of a connection, or on
 * no frame ("bare"), as after a timer or a file operation.
 */
export type TurnKind = "tick" | "bare";

/**
 * Which delivery: `h` head of an exchange or settle of a function, `c` chunk, `e` end of a body, `t` timer, `o` ordered
 * operation, `a` result of an `agent()` call that is a run of its own, `f` an event from outside (a signal, a change of a watched file).
 */
export type DeliveryKind = "h" | "c" | "e" | "t" | "o" | "a" | "f";

/** A result from outside that the agent waits for. */
export interface Delivery {
  readonly kind: DeliveryKind;
  /** step number for h, c, e; creation number within the scope for t, o and a; 0 for f */
  readonly id: number;
  /** chunk number, for kind c; 0 otherwise */
  readonly part: number;
  /** number of the tool step in whose body the agent waits; -1: outside every tool body */
  readonly scope: number;
  /** set for the outcome of a function; `id` is the scope of its body */
  readonly ofBody?: true;
  /** for kind t: a callback of `setImmediate` */
  readonly atOnce?: true;
  /** for kind a: the kind of turn in which the call has ended */
  readonly turn?: TurnKind;
  /** for kind f: `TYPE#n`; when recorded, followed by a blank and the detail of the event, if it has one */
  readonly label?: string;
  /** of a timer in a replay: when it is due by the replayed clock, epoch milliseconds; the order where the record has none */
  readonly due?: number;
  /** of a timer in a replay: from now on it is a real one, which rings when it is due. `now`: the replayed clock, epoch milliseconds */
  goReal?(now: number): void;
  /** the call had not settled when its recorded run ended: nothing is handed over */
  readonly open?: true;
  /** true once the agent no longer waits (aborted, cleared, cancelled): never delivered, never journaled */
  dead(): boolean;
  /** whether the real thing would have kept the event loop alive */
  referenced(): boolean;
  /**
   * Hands the value over, in the agent's context. Called at most once, from a macrotask. `detail`, for kind f in a
   * replay: the detail that was recorded with the event.
   */
  fire(detail?: string): void;
}

/**
 * One delivery per turn (a macrotask with its microtasks). Both drivers keep that rule: `RecordGate` journals
 * each delivery at the instant it happens, the replay's gate makes deliveries happen in the order of a journal.
 */
export interface Gate {
  /** Kind of the current turn. */
  readonly turn: TurnKind;
  /** Number of deliveries so far: where two readings are equal, none came between them. */
  readonly delivered: number;
  /**
   * Whether an operation that may come at once is a delivery. Recording: unless it came at once. In a replay: if the record
   * has it, which it has not passed.
   */
  isEvent(operation: Delivery, isAtOnce: boolean): boolean;
  /** In a replay, before a run is ended since it is quiet. False: something comes after all. */
  mayEnd?(): boolean;
  /** The agent called into the shell: this turn is in use. */
  touch(): void;
  /** The value is available. Recording delivers it in the first free turn, a replay at its place in the recorded order. */
  offer(delivery: Delivery): void;
  /** Recording only: called from a native timer callback, which begins a fresh turn. */
  enter(delivery: Delivery): void;
  /** A native resource that the agent opened outside every patch woke it. `label` is `TYPE#n`. */
  nativeWakeup(label: string, scope: number): void;
  /** No delivery is pending any more; releases what keeps the event loop alive. */
  close(): void;
}
