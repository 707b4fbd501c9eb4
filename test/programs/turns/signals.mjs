// Signals that a program listens to: beside calls, in the middle of a sleep, heard once, and emitted by itself.
import { setTimeout as sleep } from "node:timers/promises";
import { ask, call, print, said } from "./model.mjs";

const heard = (signal, number) => said(`${signal} ${number} ${Math.random()}`);
const send = (signal) => process.kill(process.pid, signal);
const next = (signal) => new Promise((resolve) => process.once(signal, resolve));

process.on("SIGUSR2", heard);
process.once("SIGHUP", heard);
send("SIGUSR2");
send("SIGHUP");
said(await call("first"));
said(`${process.listenerCount("SIGHUP")} left, ${process.listenerCount("SIGTERM")} of the other`);
process.emit("SIGUSR2", "SIGUSR2", 0);

const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
const given = ask("never answered", { model: "scn-slow", signal: stop.signal }).catch((error) => error.name);
const tick = setInterval(() => send("SIGTERM"), 30);
said(await given);
clearInterval(tick);

for (let i = 0; i < 2; i++) {
  const round = next("SIGINT");
  send("SIGINT");
  await round;
  said(`again ${Math.random()}`);
}
process.off("SIGUSR2", heard);

let stopping = false;
process.once("SIGUSR2", () => (stopping = true));
void sleep(40).then(() => send("SIGUSR2"));
for (let i = 0; !stopping; i++) {
  said(await call(`step ${i}`));
  await sleep(15);
}
print();
process.exit(0);
