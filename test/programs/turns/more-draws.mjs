// Asks for the time once, and once more if it is given an argument.
import { call } from "./model.mjs";

const answer = await call("what time is it?");
const now = Date.now();
const again = process.argv[2] === undefined ? now : Date.now();
console.log(`${answer} ${again === now}`);
