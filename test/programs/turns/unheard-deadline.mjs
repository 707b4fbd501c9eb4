// Ends long before a deadline that nobody waits for.
import { call, print, said } from "./model.mjs";

const deadline = AbortSignal.timeout(9000);
said(await call("in time"));
process.on("exit", () => console.log(`rang ${deadline.aborted}`));
print();
