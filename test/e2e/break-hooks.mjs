// Preload: the code of each row of @reenact/hooks throws, where it reads a call (BREAK=call), where it
// finds tools (BREAK=row), where it reads what is written to a database or comes from it (BREAK=write, read), or what a job asks of
// its service (BREAK=service).
import { HOOKS } from "@reenact/hooks";

function broken() {
  throw new Error("a fault of the hook");
}

/** The session of a database's connection, of which a method throws from its second call on. */
function brokenSession(real, method) {
  const session = real();
  const whole = session[method].bind(session);
  let calls = 0;
  session[method] = (...args) => (calls++ > 1 ? broken() : whole(...args));
  return session;
}

function breakWire(wire) {
  const { BREAK } = process.env;
  const { session } = wire;
  if (BREAK === "call") wire.session = broken;
  else if (BREAK === "row") wire.attach = broken;
  else wire.session = () => brokenSession(session, BREAK);
}

function breakJobs(jobs) {
  const { BREAK } = process.env;
  if (BREAK === "call") jobs.read = broken;
  else if (BREAK === "row") jobs.from = broken;
  else if (BREAK === "service") for (const { others } of jobs.services ?? []) if (others) others.args = broken;
}

function breakMade({ service, taker }) {
  if (taker !== undefined && process.env.BREAK !== "service")
    return (given) => {
      const real = taker(given);
      breakJobs(real);
      if (process.env.BREAK === "row") real.bound = broken;
      return real;
    };
  if (process.env.BREAK === "service" && service.others) service.others.args = broken;
  return taker;
}

function breakHandler(handler) {
  const { BREAK } = process.env;
  if (BREAK === "call") handler.read = broken;
  else if (BREAK === "row") handler.carryOut = broken;
}

function breakDecisions(decisions) {
  if (decisions.waiting !== undefined) decisions.waiting = broken;
  decisions.decisions = broken;
}

for (const { step, tools, decisions, channel, wire, jobs, jobTaker, made, handler } of HOOKS) {
  if (jobs !== undefined) breakJobs(jobs);
  if (jobTaker !== undefined) breakJobs(jobTaker);
  for (const row of made ?? []) row.taker = breakMade(row);
  if (handler !== undefined) breakHandler(handler);
  if (wire !== undefined) breakWire(wire);
  if (step !== undefined) for (const key of ["name", "args", "callId", "body"]) step[key] = broken;
  if (channel !== undefined) channel.isClient = broken;
  if (decisions !== undefined) breakDecisions(decisions);
  if (tools === undefined) continue;
  for (const key of ["args", "result"]) {
    const real = tools[key];
    if (real === undefined) continue;
    const inCalls = (given, watch) => real(given, (tool) => watch({ ...tool, args: broken, callId: broken }));
    tools[key] = process.env.BREAK === "row" ? broken : inCalls;
  }
}
