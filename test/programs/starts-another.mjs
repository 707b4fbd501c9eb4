// One model call, then a program that makes one too: `node starts-another.mjs [fails]`, and that one ends with an error.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "plan" }] }),
});
const other = fileURLToPath(new URL("asks-by-variable.mjs", import.meta.url));
const fails =
  process.argv[2] === "fails" ? ["--import", "data:text/javascript,process.on('exit',()=>process.exit(3))"] : [];
spawnSync(process.execPath, [...fails, other], { stdio: "inherit" });
