import { replaceMethod } from "../patch/replace-method.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { receivedHeaders } from "./received-headers.ts";
import type { SentAnswer } from "./send-request.ts";

export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly url: string;
  readonly redirected: boolean;
  readonly type: string;
  readonly hasBody: boolean;
}

export function headOf(response: SentAnswer): Head {
  return {
    status: response.status,
    statusText: response.statusText,
    headers: receivedHeaders(response.headers),
    url: response.url,
    redirected: response.redirected,
    type: response.type,
    hasBody: response.body !== null,
  };
}

/**
 * A `Response` over our body that hides nothing of the one it stands for. The constructor refuses status 600 and a
 * reason phrase outside ASCII, and knows no URL and type: those are looked up behind the getters of the class, so that
 * the object has no properties of its own, as Node's has none.
 */
export function responseOf(body: ReadableStream<Uint8Array<ArrayBuffer>> | null, head: Head): Response {
  watchGetters();
  const constructible = head.status >= 200 && head.status <= 599;
  const nullBody = head.status === 204 || head.status === 205 || head.status === 304;
  const headers = head.headers.map(([k, v]): [string, string] => [k, v]);
  const NodeResponse = nodeResponse();
  const response = new NodeResponse(nullBody ? null : body, { status: constructible ? head.status : 200, headers });
  heads.set(response, head);
  immutable.add(response.headers);
  return response;
}

const heads = new WeakMap<object, Head>();
/** Headers of answers, which nobody may change. */
const immutable = new WeakSet<Headers>();

const SHOWN: { readonly [name in keyof Response]?: (head: Head) => unknown } = {
  status: (head) => head.status,
  statusText: (head) => head.statusText,
  ok: (head) => head.status >= 200 && head.status <= 299,
  url: (head) => head.url,
  redirected: (head) => head.redirected,
  type: (head) => head.type,
};

/**
 * Node's class, as its `fetch` answers with it: a framework may have put a class of its own, which inherits from it, in the
 * place of the global one.
 */
function nodeResponse(): typeof Response {
  let { prototype } = Response;
  for (let above = parentOf(prototype); above !== null; above = parentOf(prototype)) prototype = above;
  return prototype.constructor as typeof Response;
}

function parentOf(prototype: Response): Response | null {
  const parent = Object.getPrototypeOf(prototype) as Response | null;
  return parent === null || (parent as object) === Object.prototype ? null : parent;
}

let watched: object | null = null;

/** Once, and for good: responses outlive a recording. */
function watchGetters(): void {
  const { prototype } = nodeResponse();
  if (watched === prototype) return;
  watched = prototype;
  for (const [name, shown] of Object.entries(SHOWN)) {
    const before = Object.getOwnPropertyDescriptor(prototype, name);
    const real = before?.get;
    if (real === undefined || shown === undefined) continue;
    const get = copyFunctionProperties(function (this: Response): unknown {
      const head = heads.get(this);
      return head === undefined ? Reflect.apply(real, this, []) : shown(head);
    }, real);
    Object.defineProperty(prototype, name, { ...before, get });
  }
  replaceMethod<() => Response>(
    prototype,
    "clone",
    (real) =>
      function clone(this: Response) {
        const copy = Reflect.apply(real, this, []);
        const head = heads.get(this);
        if (head === undefined) return copy;
        heads.set(copy, head);
        immutable.add(copy.headers);
        return copy;
      },
  );
  for (const name of ["append", "delete", "set"] as const)
    replaceMethod<(...args: string[]) => void>(
      Headers.prototype,
      name,
      (real) =>
        ({
          [name](this: Headers, ...args: string[]): void {
            if (!immutable.has(this)) return Reflect.apply(real, this, args);
            // what is wrong with the arguments comes first
            Reflect.apply(real, new Headers(), args);
            throw new TypeError("immutable");
          },
        })[name] as (...args: string[]) => void,
    );
}
