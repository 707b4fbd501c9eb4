// Prints to both outputs, inside and outside of a tool; the first argument names an edit.
import { tool } from "@reenact/node";
import { call } from "../turns/model.mjs";

const [, , edit = ""] = process.argv;

const look = tool("look", async (what) => {
  console.log(`looking for ${what}`);
  return what.length;
});

const sum = tool("sum", async (question) => {
  console.log(edit === "composite" ? "another sum" : "a sum");
  return call(`sum of ${question}`);
});

console.log(`started by alice@example.com with ${process.pid}`);
if (edit !== "warn") process.emitWarning("a warning with the process id");
const question = await call("the question");
console.log(`question: ${edit === "text" ? question.toUpperCase() : question}`);
console.error(edit === "error" ? "no step was left" : `${await look("it")} step is left`);
await sum(question);
const rows = edit.startsWith("long") ? 6000 : 0;
for (let i = 0; i < rows; i++) console.log(edit === "long-late" && i === 2500 ? "another row" : `row ${i}`);
const saved = call("save it");
if (edit !== "unawaited") await saved;
console.log("done");
if (edit === "throw") throw new TypeError("thrown at the end");
