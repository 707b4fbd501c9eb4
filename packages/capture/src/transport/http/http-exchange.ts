import { recordError } from "@reenact/envelope";
import { AsyncLocalStorage } from "node:async_hooks";
import type http from "node:http";
import { collectToolCalls } from "../../span/answer.ts";
import { live } from "../../run/context.ts";
import type { DeliveryKind } from "../../source/gate.ts";
import { guarded } from "../../fault/faults.ts";
import { originals } from "../../patch/originals.ts";
import { settle, type OpenStep } from "../../span/open-step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import type { Piece } from "./http-answer.ts";
import { Download } from "./http-download.ts";
import { PipeSocket } from "./http-socket.ts";
import type { HttpSource } from "./http-source.ts";
import { SocketTimeout } from "./http-timeout.ts";
import { Upload } from "./http-upload.ts";
import { nodeHttp } from "./node-http.ts";
import { errorOfExchange } from "../../span/error-of-exchange.ts";

/**
 * One exchange of `node:http(s)`. The agent's request talks to a pipe, in record and in replay; what comes out of it
 * is written by this class alone, one delivery per turn. Node's own client makes every event that the agent sees.
 */
export class HttpExchange {
  readonly step: OpenStep;
  readonly draft: ExchangeDraft;
  readonly request: http.ClientRequest;
  readonly #inAgent = AsyncLocalStorage.snapshot();
  readonly #source: HttpSource;
  readonly #socket: PipeSocket;
  readonly #timeout: SocketTimeout;
  readonly #upload: Upload;
  readonly #download: Download;
  readonly #host: string;
  readonly #connectId: number;
  #referenced = true;
  #full = false;
  #receiving = false;
  #stopping = false;
  /** nothing is delivered any more: the answer has ended, or the agent has stopped */
  #over = false;

  constructor(
    step: OpenStep,
    draft: ExchangeDraft,
    request: http.ClientRequest,
    sourceFor: (exchange: HttpExchange) => HttpSource,
  ) {
    this.step = step;
    this.draft = draft;
    this.request = request;
    this.#host = new URL(draft.url).hostname.replace(/^\[|\]$/g, "");
    this.#upload = new Upload(step, draft);
    this.#download = new Download(step, draft, {
      offer: (kind, id, part, deliver) => this.#offer(kind, id, part, deliver),
      receive: (bytes) => this.#receive(bytes),
      breakOff: (error) => void this.#socket.destroy(error),
      ended: (end) => this.#ended(end),
    });
    this.#connectId = step.run.source.next("o", step.frame.scope);
    const source = sourceFor(this);
    this.#source = source;
    this.#socket = new PipeSocket({
      secure: request.protocol === "https:",
      isVirtual: () => step.run.source.virtualTimers,
      real: () => source.real,
      sent: (bytes) => this.#written(bytes),
      wanted: () => this.#wanted(),
      freed: () => {
        this.#stopped();
        this.#timeout.arm(0);
        source.free();
      },
      destroyed: (closed) => {
        this.#timeout.arm(0);
        if (this.#over) source.stop();
        else this.#stopped();
        this.#close(closed);
      },
      armed: (ms) => this.#timeout.arm(this.#over ? 0 : ms),
      idle: () => this.#timeout.rang(),
      referenced: (yes) => {
        this.#referenced = yes;
        source.real?.[yes ? "ref" : "unref"]?.();
      },
    });
    this.#timeout = new SocketTimeout(
      step,
      () => this.#inAgent(() => this.#socket.expire()),
      () => this.#socket.startTimeout(),
    );
  }

  /** Finds the request a connection. `timeout`: of the request or its agent, ms. Throws what the agent's `Agent` throws. */
  begin(timeout: number | undefined): void {
    const { answer } = this.step;
    if (answer.from === "miss") {
      this.#refuse(answer.error);
      this.#give(null, answer.error);
      return;
    }
    if (timeout) this.#socket.setTimeout(timeout);
    try {
      if (this.#source.start()) this.attach();
    } catch (error) {
      this.#refuse(error);
      throw error;
    }
  }

  attach(): void {
    this.#inAgent(() => this.#give(this.#socket));
  }

  /** The connection stands. Until it is delivered nothing that was written counts as flushed. */
  connected(told?: () => void): void {
    this.#offer("o", this.#connectId, 0, () => {
      try {
        this.#socket.connected(this.#host);
      } finally {
        told?.();
      }
    });
  }

  /** Offers what has come of the answer. `at`: milliseconds since the request, where recorded. */
  arrived(piece: Piece, at?: number): void {
    this.#download.arrived(piece, at);
  }

  /** The connection was cut, which Node's client puts into words itself. */
  cut(): void {
    this.#download.cut();
  }

  fail(error: Error): void {
    this.#download.fail(error);
  }

  /** Bytes that the agent never saw, for the record. */
  keep(bytes: Uint8Array): void {
    this.#download.keep(bytes, -1);
  }

  /** Node's client has found the answer wrong while it read it. */
  complained(error: unknown): void {
    if (!this.#receiving || (this.#over && !this.#stopping)) return;
    this.#stopping = false;
    this.draft.error = recordError(error);
    this.#ended("error");
    this.#source.stop();
  }

  /** Past a source that waits at the request's own `onSocket`. */
  #give(...args: [socket: PipeSocket | null, error?: Error]): void {
    Reflect.apply(nodeHttp.ClientRequest.prototype.onSocket, this.request, args);
  }

  #receive(bytes: Buffer | null): void {
    this.#receiving = true;
    try {
      if (this.#socket.supply(bytes)) return;
      this.#full = true;
      this.#source.enough();
    } finally {
      this.#receiving = false;
      if (this.#stopping) this.#stop();
    }
  }

  #offer(kind: DeliveryKind, id: number, part: number, deliver: () => void): void {
    const { run, frame } = this.step;
    const dead = (): boolean => this.#over;
    const fire = (): void => {
      if (kind !== "o") this.#source.delivered();
      this.#inAgent(deliver);
    };
    if (!run.over)
      run.source.gate.offer({
        kind,
        id,
        part,
        scope: frame.scope,
        dead,
        referenced: () => this.#referenced && !this.#full,
        fire,
      });
    else if (!this.#over) fire();
  }

  /** The agent is notified of a closed connection whichever side closed it, also after the exchange is over. */
  #close(closed: () => void): void {
    const { run, frame } = this.step;
    const fire = (): void => this.#inAgent(closed);
    run.source.gate.touch();
    const id = run.source.next("o", frame.scope);
    if (run.over) live(() => originals.setImmediate(fire));
    else
      run.source.gate.offer({
        kind: "o",
        id,
        part: 0,
        scope: frame.scope,
        dead: () => false,
        referenced: () => this.#referenced,
        fire,
      });
  }

  #written(bytes: Buffer): void {
    const { source } = this.step.run;
    source.gate.touch();
    if (this.#upload.write(bytes)) {
      this.#download.awaitContinue();
      this.#source.expects();
    }
    this.#source.send(bytes);
    if (!this.#over) this.#upload.sent((answer, head) => this.#source.decided?.(answer, head));
  }

  #wanted(): void {
    this.#full = false;
    this.#source.wanted();
  }

  #ended(end: "complete" | "error"): void {
    this.#over = true;
    this.draft.end = end;
    this.step.error = errorOfExchange(this.draft);
    // the run may have ended before its exchange
    if (this.step.state !== "open") return;
    guarded("answer", undefined, () => collectToolCalls(this.step));
    guarded("settle", undefined, () => settle(this.step));
  }

  /** Before anything was sent, in the agent's own turn. */
  #refuse(error: unknown): void {
    this.#over = true;
    this.draft.error = recordError(error);
    this.draft.end = "error";
    this.step.error = errorOfExchange(this.draft);
    this.step.run.closed(this.step);
  }

  /** The agent's own act, of which nothing is journaled; or Node's client, before it complains of what it reads. */
  #stopped(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#receiving) this.#stopping = true;
    else this.#stop();
  }

  #stop(): void {
    this.#stopping = false;
    const { response } = this.draft;
    this.draft.end = response === null ? "aborted" : "cancelled";
    guarded("answer", undefined, () => collectToolCalls(this.step));
    if (response !== null && response.status >= 400 && this.step.answer.from === "live") {
      // a refused answer that is dropped unread is read on behind the agent's back, and the step ended then
      this.#download.keepUndelivered();
      if (this.#source.drain(() => this.step.run.closed(this.step))) return;
    }
    this.step.run.closed(this.step);
    this.#source.stop();
  }
}
