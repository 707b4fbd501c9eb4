const wallAtStart = Date.now();
const elapsedAtStart = performance.now();
const jumps = { wall: () => Date.now(), elapsed: () => performance.now() };

/** The time by the clock as it was when this process began, and what has passed since. */
const steady = (of: typeof jumps) => Math.round(wallAtStart + (of.elapsed() - elapsedAtStart));

/**
 * Times by a clock that somebody may put forward or back while this runs. Due times take `performance.now()`. What is
 * received gets the later of the two times and what expires is judged by the earlier one, milliseconds since the epoch: a
 * jump, either way, may keep a run too long, and takes none away that has just come.
 */
export const receivedNow = (of = jumps): number => Math.max(of.wall(), steady(of));
export const expiryNow = (of = jumps): number => Math.min(of.wall(), steady(of));
