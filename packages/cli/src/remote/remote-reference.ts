import { CliError } from "../errors/cli-error.ts";
import type { RemoteOptions } from "./remote-options.ts";

/** Where a run is, and what it is called there. */
export interface RemoteReference {
  /** a URL of a collector, `s3://bucket/prefix`, a folder, or `phoenix://host/project` */
  readonly address: string;
  /** digits of an id, or `@…` */
  readonly run: string;
}

const RUN = /^([0-9a-f]{4,32}|@(last|failed|-\d{1,6}))$/i;

const PAGE = /\/r\/([0-9a-f]{4,32})(?:[?#].*)?$/i;

/** The place that the options name; undefined: none. */
export function remoteAddress({ from, server }: RemoteOptions): string | undefined {
  if (from !== undefined || server === undefined || /^https?:\/\/./.test(server)) return from ?? server;
  throw new CliError(
    "REEN-USAGE",
    `--server ${server} is no URL`,
    "--server http://127.0.0.1:4318; --from names other places",
  );
}

/** A link to a run, or a name beside `--from` or `--server`. Null: the run is to be looked for here. */
export function remoteReference(reference: string, options: RemoteOptions): RemoteReference | null {
  const link = /^([a-z][a-z0-9+]+):\/\/(.+)$/i.exec(reference);
  if (link) return linked(reference, link[1]!.toLowerCase());
  const address = remoteAddress(options);
  if (address === undefined || /[./\\]/.test(reference)) return null;
  if (!RUN.test(reference))
    throw new CliError(
      "REEN-USAGE",
      `"${reference}" is no run: 4 or more hex digits of its id, @last, @failed, @-2`,
      "reenact ls",
    );
  return { address, run: lowered(reference) };
}

function linked(reference: string, scheme: string): RemoteReference {
  const known = ["s3", "phoenix", "phoenix+http", "http", "https"];
  if (!known.includes(scheme))
    throw new CliError(
      "REEN-USAGE",
      `${reference}: runs are not fetched from ${scheme}://`,
      "name s3://, phoenix:// or http://",
    );
  // as it stands in the address bar of a browser: the page of a run, with what is selected on it
  const named = scheme.startsWith("http") ? reference.replace(PAGE, "/$1") : reference;
  const [, address = "", run = ""] =
    /^(.+?)(?:\/api\/v1)?(?:\/runs)?\/([^/]+?)(?:\/(?:envelope|spans))?\/?$/.exec(named) ?? [];
  if (!RUN.test(run) || /^[a-z0-9+]+:\/*$/.test(address))
    throw new CliError(
      "REEN-USAGE",
      `${reference} names no run`,
      scheme.startsWith("phoenix")
        ? "phoenix://host/project/<trace>"
        : `end it with the run: ${reference.replace(/\/$/, "")}/7f3a91`,
    );
  return { address, run: lowered(run) };
}

const lowered = (run: string): string => run.toLowerCase();
