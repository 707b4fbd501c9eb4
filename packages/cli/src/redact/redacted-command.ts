import { projectScrubber } from "./project-scrubber.ts";

/** `node agent.js`, and other words that hold nothing. */
const PLAIN = /^[A-Za-z][\w./-]{0,23}$/;
const MOST_PLAIN = 2;

/** The words of a command to be shown, with tokens in the place of secrets; what cannot be redacted is left out. */
export function redactedCommand(command: readonly string[], options: { store: string; config?: string }): string[] {
  if (command.length <= MOST_PLAIN && command.every((word) => PLAIN.test(word))) return [...command];
  try {
    const { text } = projectScrubber(options).scrub(JSON.stringify(command), { mime: "application/json" });
    return JSON.parse(text) as string[];
  } catch {
    // no key, or no policy that can be read
    return [...command.slice(0, MOST_PLAIN).filter((word) => PLAIN.test(word)), "…"];
  }
}
