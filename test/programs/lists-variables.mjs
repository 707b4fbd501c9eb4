// Says which variables it has, in every way of listing them. The first argument makes one more.
import { call } from "./turns/model.mjs";

process.env.OWN = "1";
if (process.argv[2] === "one more") process.env.MORE = "1";
const inLoop = [];
for (const name in process.env) inLoop.push(name);
const ways = [inLoop, Object.keys(process.env), Object.keys({ ...process.env }), Reflect.ownKeys(process.env)];
console.log(await call(`of ${ways.map((names) => names.join(" ")).join("; ")}`));
console.log(JSON.stringify(process.env), "NODE_OPTIONS" in process.env);
