// The same calls, and another output or exit code if arguments are given.
import { call } from "./model.mjs";

const [, , text, code] = process.argv;
const answer = await call("the same question");
console.log(text || answer);
process.exitCode = Number(code ?? 0);
