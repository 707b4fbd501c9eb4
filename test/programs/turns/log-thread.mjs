// A logger that hands its lines to a thread: how far that one is shows in shared memory only.
import pino from "pino";
import { call } from "./model.mjs";

const logger = pino({ transport: { target: "pino/file", options: { destination: 1 } } });
logger.info("begins");
await Promise.all(
  ["one", "two", "three", "four", "five"].map(async (name, n) => {
    for (let round = 0; round < 4; round++) {
      logger.info({ name, round, long: "x".repeat(10_000) }, await call(`${name} ${round}`, { wait: n * 2 }));
      if (round === n) logger.flush();
    }
  }),
);
await new Promise((resolve) => logger.flush(resolve));
logger.info({ draw: Math.random() }, await call("after the flush"));
