/** A file of a package, and what in it is hooked. */
export interface HookedFile {
  /** names on npm */
  readonly packages: readonly string[];
  /** path inside the package, with `/` */
  readonly path: RegExp;
  /** expression for the value, in the module's own words */
  readonly value: string;
}

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
  /** versions of the packages that are hooked, `from` inclusive; absent: every version that has the value */
  readonly versions?: { readonly from: string; readonly below: string };
  /** steps of the class that `files` gives */
  readonly step?: MethodStep;
  /** for hooks that record no step: changes the value, and adds functions that undo this */
  patch?(value: never, undos: (() => void)[]): void;
}
