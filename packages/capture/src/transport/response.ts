export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly url: string;
  readonly redirected: boolean;
  readonly type: string;
  readonly hasBody: boolean;
}

export function headOf(response: Response): Head {
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    url: response.url,
    redirected: response.redirected,
    type: response.type,
    hasBody: response.body !== null,
  };
}

/**
 * A `Response` over our body that hides nothing of the one it stands for. The constructor refuses status 600 and a
 * reason phrase outside ASCII, and a clone forgets url and type; both would break the agent.
 */
export function dress(body: ReadableStream<Uint8Array<ArrayBuffer>> | null, head: Head): Response {
  const constructible = head.status >= 200 && head.status <= 599;
  const nullBody = head.status === 204 || head.status === 205 || head.status === 304;
  const headers = head.headers.map(([k, v]): [string, string] => [k, v]);
  return mark(new Response(nullBody ? null : body, { status: constructible ? head.status : 200, headers }), head);
}

function mark(response: Response, head: Head): Response {
  const own = {
    status: head.status,
    statusText: head.statusText,
    ok: head.status >= 200 && head.status <= 299,
    url: head.url,
    redirected: head.redirected,
    type: head.type,
  };
  for (const [name, value] of Object.entries(own)) Object.defineProperty(response, name, { value, configurable: true });
  const { clone } = response;
  return Object.defineProperty(response, "clone", {
    configurable: true,
    value: () => mark(clone.call(response), head),
  });
}
