/** A vendor's names in the two vocabularies: `llm.provider` and `gen_ai.provider.name`. */
export interface Vendor {
  readonly openinference: string;
  readonly genAi: string;
}

export interface Host extends Vendor {
  /** host name, or the end of it after a dot; with a leading hyphen the end of a host name */
  readonly host: string;
  /** names of other providers whose wire format this host speaks too: a path alone tells it there */
  readonly speaks?: readonly string[];
  /**
   * host names below it that nobody but the vendor answers at, so that a key may go there; default: `host` itself. Below others
   * (`amazonaws.com`) anybody can have a host.
   */
  readonly api?: RegExp;
}

export interface Sdk {
  /** name on npm */
  readonly package: string;
  /** major versions that the tests have run with */
  readonly tested: readonly number[];
  /** the SDK keeps the `fetch` that was global when its client was made, or when it was loaded */
  readonly keepsFetch: boolean;
}

/** An address that is an operation of a provider. */
export interface Target {
  readonly method: "GET" | "POST" | "DELETE";
  /** end of the path */
  readonly path: RegExp;
  /** of each group the JSON body has at least one of the keys; absent: the path says too little without a known host */
  readonly proof?: ReadonlyArray<readonly string[]>;
  /** the keys are members of the body itself, and none of them is null: the path says nothing at all */
  readonly ownMembers?: true;
  /** a form is accepted as well: a field that it has, or true when the path is proof enough */
  readonly form?: string | true;
  /** the path is proof enough while the body is not known yet */
  readonly distinctive?: true;
  /** other providers have the same path and body: only a known host can tell */
  readonly knownHost?: true;
  /** name of the operation in the provider's `operations.ts`; `provider.operation` is part of the slot */
  readonly operation: string;
}

/** What tells a provider's calls from others, as data: it is read before a request goes out. */
export interface Provider {
  /** name of its folder and of the wire format: `llm.system` */
  readonly name: string;
  /** name for people */
  readonly title: string;
  /** the vendor's own hosts */
  readonly hosts: readonly Host[];
  /** addresses on this machine that its SDKs use by themselves */
  readonly localOrigins?: readonly string[];
  readonly sdks: readonly Sdk[];
  /** environment variables from which its SDKs take a key */
  readonly keys: readonly string[];
  /** finds the model in a path that names one */
  readonly modelInPath?: RegExp;
  /** the first target that fits counts */
  readonly targets: readonly Target[];
}
