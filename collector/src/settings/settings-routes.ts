import {
  payloadReadsAnswer,
  payloadReadsQuery,
  settingsAnswer,
  tryRedactionAnswer,
  tryRedactionBody,
} from "./settings-schema.ts";

/** What is asked of the collector's own settings; they are part of `ROUTES`. Nothing is changed by them: settings stand in its file. */
export const SETTINGS_ROUTES = {
  getSettings: {
    method: "get",
    path: "/settings",
    scope: "admin",
    summary: "Retention, destinations and keys as they are set; no secret is in it",
    answer: settingsAnswer,
  },
  listPayloadReads: {
    method: "get",
    path: "/payload-reads",
    scope: "admin",
    summary: "Who read payloads of which runs, as far as this process remembers",
    query: payloadReadsQuery,
    answer: payloadReadsAnswer,
  },
  tryRedaction: {
    method: "post",
    path: "/redaction/try",
    scope: "read",
    summary: "What redaction would replace in a text, and by which rule; the text is neither kept nor logged",
    body: tryRedactionBody,
    answer: tryRedactionAnswer,
  },
} as const;
