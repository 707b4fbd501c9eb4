// Hands one text to a tool. `CODE`: it starts the recorder itself, with a policy of its own.
import { instrument, tool } from "@reenact/node";

if (process.env.CODE === "1") instrument({ redaction: { name: "in-code" } });
const echo = tool("echo", async (value) => value);
await echo({ text: process.env.TEXT, picture: process.env.PICTURE ?? "" });
console.log("said it");
