import { oneLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";

/** Variables that lead requests elsewhere than to whom they are for, and those that name no recipient. */
const NO_RECIPIENT = /(?:^|_)PROXY$|^npm_/i;
const NAMES_HOST = /_HOST$/i;
const IS_HOST = /^[^\s/?#@\\]+$/;

/**
 * Where a live call may go, beside the own hosts of providers: what `--to` names, and the addresses in the caller's own variables
 * (`OPENAI_BASE_URL`, `OLLAMA_HOST`). As origins: a port and the encryption are part of it. Throws for a `--to` that is no host.
 */
export function allowedOrigins(to: readonly string[], own: NodeJS.ProcessEnv = process.env): string[] {
  const variables = Object.entries(own).flatMap(([name, value = ""]) => {
    if (NO_RECIPIENT.test(name)) return [];
    return isAddress(value) || NAMES_HOST.test(name) ? originsOf(value) : [];
  });
  return [...new Set([...to.flatMap(givenOrigins), ...variables])];
}

function givenOrigins(to: string): string[] {
  const origins = originsOf(to);
  if (origins.length > 0) return origins;
  throw new CliError(
    "REEN-USAGE",
    `--to ${oneLine(to, 80)}: it is no host`,
    "--to llm.example.com, or --to http://localhost:8080",
  );
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** Of a host without a scheme both; none where it is neither a host nor an address of one. */
function originsOf(text: string): string[] {
  const urls = isAddress(text) ? [text] : IS_HOST.test(text) ? [`https://${text}`, `http://${text}`] : [];
  return urls.flatMap((url) => (URL.canParse(url) ? [new URL(url)] : [])).map(({ origin }) => origin);
}
