// NODE_OPTIONS="--import <this file>": the clock of this process and of its threads is CLOCK_SHIFT_MS milliseconds ahead.
// Timers and `performance.now()` are as they were. A client of S3 signs with this clock; a server refuses a signature that is
// more than minutes off, and the SDK takes the difference to the server's clock into account from its second request on.
const shift = Number(process.env.CLOCK_SHIFT_MS);
if (!Number.isFinite(shift)) throw new Error("CLOCK_SHIFT_MS: milliseconds, negative for the past");
const now = Date.now.bind(Date);
globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(now() + shift);
    else super(...given);
  }
  static now() {
    return now() + shift;
  }
};
