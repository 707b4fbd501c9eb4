// The redactors that are compared: `[name, text, JSON, version]`. secretlint only reports. `redact-pii` is not among
// them: it brings a cloud SDK with it.
import { createScrubber } from "@reenact/redaction";
import { Redactor } from "@redactpii/node";
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { createAnonymizer, createSecretAnonymizer, DEFAULT_SECRET_RULES } from "langsmith/anonymizer";
import { OpenRedaction } from "openredaction";

const PII = [
  { pattern: /[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}/g, replace: "<email>" },
  { pattern: /\b(?:\d[ -]?){13,19}\b/g, replace: "<card>" },
  { pattern: /\+?\d{1,3}[ .-]?\(?\d{2,4}\)?[ .-]?\d{3,4}[ .-]?\d{3,4}/g, replace: "<phone>" },
];
const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const anonymize = createAnonymizer(PII);
const secrets = createSecretAnonymizer(DEFAULT_SECRET_RULES);
const redactor = new Redactor({ rules: { CREDIT_CARD: true, EMAIL: true, NAME: true, PHONE: true, SSN: true } });
const open = new OpenRedaction();
const config = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }] };

/** The text without the stretches that it reports, so that it can be asked what it finds. */
async function lint(text) {
  const source = { filePath: "a.txt", content: text, contentType: "text" };
  const { messages } = await lintSource({ source, options: { config } });
  return messages.reduceRight((rest, { range: [from, to] }) => rest.slice(0, from) + rest.slice(to), text);
}

const openText = async (text) => (await open.detect(text)).redacted;

export const TOOLS = [
  {
    name: "Reenact",
    text: (text) => scrubber.scrub(text).text,
    json: (text) => scrubber.scrub(text, { mime: "application/json" }).text,
  },
  {
    name: "LangSmith, 3 patterns of its docs",
    text: (text) => anonymize(text),
    json: (text) => JSON.stringify(anonymize(JSON.parse(text))),
  },
  {
    name: "LangSmith, its secret rules",
    text: (text) => secrets(text),
    json: (text) => JSON.stringify(secrets(JSON.parse(text))),
  },
  {
    name: "@redactpii/node",
    text: (text) => redactor.redact(text),
    json: (text) => JSON.stringify(redactor.redactObject?.(JSON.parse(text)) ?? redactor.redact(text)),
  },
  { name: "openredaction", text: openText, json: openText },
  { name: "secretlint", text: lint, json: lint },
];
