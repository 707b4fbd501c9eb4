import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Answered {
  readonly id: string;
  /** `response` or `error` */
  readonly as: string;
  readonly body: string;
  readonly type: string;
}

export interface RuntimeApi {
  /** host and port, as `AWS_LAMBDA_RUNTIME_API` has them */
  readonly address: string;
  /** Hands out an event. Resolves when the function has answered and the runtime asks for the next: a platform freezes it then. */
  invoke(event: unknown): Promise<Answered>;
  stop(): void;
}

/** The part of the Lambda runtime API that hands out invocations, on loopback. */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  let number = 0;
  let asking: ServerResponse | null = null;
  const queue: { id: string; event: unknown }[] = [];
  const answers = new Map<string, (answered: Answered) => void>();
  let whole: (() => void)[] = [];
  const handOut = (): void => {
    const [next] = queue;
    if (next === undefined || asking === null) return;
    queue.shift();
    const headers = {
      "lambda-runtime-aws-request-id": next.id,
      "lambda-runtime-deadline-ms": String(Date.now() + 60_000),
      "lambda-runtime-invoked-function-arn": "arn:aws:lambda:eu-west-1:000000000000:function:desk",
    };
    asking.writeHead(200, headers).end(JSON.stringify(next.event));
    asking = null;
  };
  const server = createServer((request, response) => {
    const [, id = "", as = ""] = /\/invocation\/([^/]+)(?:\/(response|error))?$/.exec(request.url ?? "") ?? [];
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (id === "next") {
        asking = response;
        for (const done of whole) done();
        whole = [];
        return handOut();
      }
      response.writeHead(202).end("{}");
      const type = request.headers["content-type"] ?? "";
      const answered = { id, as, body: Buffer.concat(pieces).toString(), type };
      whole.push(() => answers.get(id)?.(answered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoke: (event) =>
      new Promise((resolve) => {
        const id = `00000000-0000-4000-8000-${String(number++).padStart(12, "0")}`;
        answers.set(id, resolve);
        queue.push({ id, event });
        handOut();
      }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
