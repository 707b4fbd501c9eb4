import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { warnOnce } from "../fault/faults.ts";
import { isLive } from "../run/context.ts";
import { isServerMode } from "../run/server-mode.ts";
import { sharedPart } from "../patch/global-registry.ts";
import { recorder } from "../run/recorder.ts";
import type { LoadWatch } from "../hook/module-loading.ts";

/** By what a program that calls models is known when its code is loaded. */
export interface AgentCode {
  /** packages of SDKs and frameworks by their names on npm; one that ends with `/` is a whole scope */
  readonly packages: readonly string[];
  /** texts in code outside of packages, which may be a bundle: hosts and paths of providers */
  readonly texts: readonly string[];
}

/** Requests that are watched in a program without any sign. */
const MOST_REQUESTS = 100;
/** Children that are recorded in a program without any sign. */
const MOST_CHILDREN = 100;
const IN_PACKAGES = /[/\\]node_modules[/\\]/;

const state = sharedPart("agent-signs", () => ({ seen: false, requests: 0, children: 0 }));

/** From here on this program is one that calls models. */
export function noteAgent(): void {
  state.seen = true;
}

/**
 * Whether a request may be one that calls a model. To watch a request costs more than a small handler takes, so a program without
 * any sign of an agent has its first requests watched only. In a replay all are: the record knows.
 */
export function mayCallModel(): boolean {
  return state.seen || recorder.isReplay || state.requests++ < MOST_REQUESTS;
}

/**
 * Whether a child that is started before the first model call may belong to an agent. Test runners and build tools talk with their
 * children over a channel (`fork`): in a program without any sign such children are left alone.
 */
export function maySpawnForAgent(hasChannel: boolean): boolean {
  return state.seen || recorder.isReplay || (!hasChannel && state.children++ < MOST_CHILDREN);
}

/** A model is called outside every run: said once, since nothing of it is kept. */
export function noteUnrecordedModel(): void {
  noteAgent();
  warnOnce("unrecorded", state.requests > MOST_REQUESTS ? LATE : OUTSIDE);
}

const OUTSIDE =
  'this server calls a model outside every run: wrap what begins that in agent("name", fn) from @reenact/node';
const LATE =
  'this server calls a model, and had no sign of it before: this call is not recorded, requests from now on are; agent("name", fn) from @reenact/node is such a sign';

/** Looks for signs in what is loaded, until there is one. */
export function watchAgentCode({ packages, texts }: AgentCode): LoadWatch {
  const folders = packages.map((name) => `/node_modules/${name.endsWith("/") ? name : `${name}/`}`);
  const isNamed = (specifier: string): boolean =>
    packages.some((name) => `${specifier}/`.startsWith(name.endsWith("/") ? name : `${name}/`));
  const has = (text: string, parts: readonly string[]): boolean => parts.some((part) => text.includes(part));
  // calls of `fetch` are recognised by their bodies, too, where they are made
  const onRequest = (message: unknown): void => {
    if (state.seen || !isServerMode() || isLive()) return;
    const { host, path } = (message as { request: { host?: unknown; path?: unknown } }).request;
    if (has(`${String(host)}${String(path)}`, texts)) noteUnrecordedModel();
  };
  subscribe("http.client.request.start", onRequest);
  return {
    asked(url) {
      // a specifier where a program imports it by its name
      if (!state.seen && (has(url.replaceAll("\\", "/"), folders) || isNamed(url))) noteAgent();
    },
    loaded(url, output) {
      if (state.seen || IN_PACKAGES.test(url) || !output.source) return output;
      const { source } = output;
      const code = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
      if (has(code, texts)) noteAgent();
      return output;
    },
    undo: () => void unsubscribe("http.client.request.start", onRequest),
  };
}
