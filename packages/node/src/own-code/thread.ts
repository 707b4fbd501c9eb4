// What a thread of ours begins with.
import { keepOwnCode, loadOwn, openCodeCache } from "./load-own.ts";

const KEEP_MS = 1000;
const [specifier = "", prefix = ""] = process.argv.slice(2);
openCodeCache(prefix === "" ? null : prefix);
loadOwn(specifier, import.meta.url);
// a thread is stopped without a word: what it runs is known by then
setTimeout(keepOwnCode, KEEP_MS).unref();
