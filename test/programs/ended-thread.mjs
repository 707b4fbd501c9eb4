// A thread that ends at once.
import { isMainThread } from "node:worker_threads";

if (isMainThread) throw new Error("this is the program of a thread");
