// The same calls, and another output if an argument is given.
import { call } from "./model.mjs";

const text = await call("the same question");
console.log(process.argv[2] ?? text);
