// The same call, and another output, exit code or end if arguments are given.
import { call } from "./model.mjs";

const [, , text, code, forEver] = process.argv;
const answer = await call("the same question");
console.log(text || answer);
process.exitCode = Number(code ?? 0);
while (forEver !== undefined);
