import type { SendRequest, SentAnswer } from "./send-request.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** As many as `fetch` follows. */
const MOST_HOPS = 20;

/**
 * `send` for a request that must not leave its origin: `fetch` itself drops `authorization` where a redirect leads to another one,
 * but sends every other header that may hold a key, and the body. `leaves` makes the error of such a call. Redirects within
 * the origin are followed as `fetch` follows them; a body that is a stream cannot be sent twice.
 */
export function withinOrigin(send: SendRequest, leaves: (to: string) => Error): SendRequest {
  return async (input, init) => {
    let [now, own]: Parameters<SendRequest> = [input, init];
    for (let hops = 0; ; hops++) {
      const answer = await send(now, { ...own, redirect: "manual" });
      const to = targetOf(answer, now);
      if (to === null) return hops === 0 ? answer : redirected(answer);
      await answer.body?.cancel();
      if (to.origin !== new URL(urlOf(now)).origin) throw leaves(to.origin);
      if (hops === MOST_HOPS) throw failed("redirect count exceeded");
      own = nextInit(now, own, answer.status);
      now = to.href;
    }
  };
}

const urlOf = (input: RequestInfo | URL): string => (input instanceof Request ? input.url : String(input));

/** Null: it is no redirect. */
function targetOf({ status, headers }: SentAnswer, from: RequestInfo | URL): URL | null {
  if (!REDIRECTS.has(status)) return null;
  const location = new Headers(headers as HeadersInit).get("location");
  if (location === null) return null;
  if (!URL.canParse(location, urlOf(from))) throw failed(`redirect to ${JSON.stringify(location)}, which is no URL`);
  return new URL(location, urlOf(from));
}

function nextInit(
  input: RequestInfo | URL,
  init: Parameters<SendRequest>[1],
  status: number,
): Parameters<SendRequest>[1] {
  const of = input instanceof Request ? input : init;
  const method = init.method ?? of.method ?? "GET";
  const body = init.body ?? (input instanceof Request ? input.body : null);
  const headers = new Headers(init.headers ?? of.headers);
  const isPost = method.toUpperCase() === "POST";
  const becomesGet = status === 303 ? !/^(?:get|head)$/i.test(method) : status <= 302 && isPost;
  if (!becomesGet) {
    if (isStream(body)) throw failed("a body that is a stream is not sent to where a redirect leads");
    return { ...init, method, headers, ...(body === null ? {} : { body }) };
  }
  for (const name of Array.from(headers.keys())) if (/^content-/i.test(name)) headers.delete(name);
  const { body: _, ...rest } = init;
  return { ...rest, method: "GET", headers };
}

const isStream = (body: unknown): boolean =>
  typeof body === "object" && body !== null && (Symbol.asyncIterator in body || body instanceof ReadableStream);

/** The parts of a `Response` stand on its class, and are not copied with it. */
function redirected({ status, statusText, url, type, body, headers }: SentAnswer): SentAnswer {
  return { status, statusText, url, type, body, headers, redirected: true };
}

const failed = (why: string): TypeError => new TypeError("fetch failed", { cause: new Error(why) });
