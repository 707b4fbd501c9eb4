import type { Policy } from "@reenact/redaction";
import type { ApiDeps } from "../query/api-deps.ts";
import { ApiError } from "../query/api-error.ts";
import { type Ask, bodyOf, type Handler, queryOf } from "../query/ask.ts";
import { payloadReadsQuery, tryRedactionBody } from "./settings-schema.ts";
import { tryRedaction } from "./try-redaction.ts";

type Name = "getSettings" | "listPayloadReads" | "tryRedaction";

/** Answers about the settings of the collector, and about the redaction of the project over which it runs. */
export function settingsHandlers({
  settings,
  payloadReads,
  projectOf,
}: Pick<ApiDeps, "settings" | "payloadReads" | "projectOf">): Record<Name, Handler> {
  /** Undefined: there is no project. Throws where its policy cannot be read: another one would find something else. */
  function policyFor(ask: Ask): Policy | undefined {
    try {
      return projectOf(ask.get("tenant"))?.redactionPolicy();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ApiError("BAD_POLICY", why, { cause });
    }
  }

  return {
    getSettings: (ask) => ask.json({ schemaVersion: 1, ...settings(ask.get("tenant")) }),
    listPayloadReads: (ask) => {
      const { limit } = queryOf(ask, payloadReadsQuery);
      const { since, list } = payloadReads;
      return ask.json({ schemaVersion: 1, since, reads: list(ask.get("tenant"), limit) });
    },
    tryRedaction: async (ask) => {
      const { text, mime } = await bodyOf(ask, tryRedactionBody);
      const policy = policyFor(ask);
      const tried = await tryRedaction(text, mime, policy);
      return ask.json({ schemaVersion: 1, policy: policy === undefined ? "default" : "project", ...tried });
    },
  };
}
