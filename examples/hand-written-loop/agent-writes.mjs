// Its tool writes a file: without tool() nobody can know that a replay must not run it again.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { converse } from "./loop.mjs";

const notes = process.env.NOTES_FILE ?? join(import.meta.dirname, "notes.txt");

const write_note = {
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => {
    appendFileSync(notes, `${text}\n`);
    return `noted: ${text}`;
  },
};

const answer = await converse({
  system: "You keep a person's notes.",
  question: "Remember that the picnic is on Friday.",
  tools: { write_note },
});
console.log(answer);
