import { randomFillSync } from "node:crypto";

const randomFill = randomFillSync;
const pool = new Uint8Array(4096);
let used = pool.length;

/** `bytes` random bytes as lower-case hex, from a pool of ours: never a draw of the agent's. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFill(pool);
    used = 0;
  }
  let out = "";
  for (let i = 0; i < bytes; i++) out += (pool[used++] as number).toString(16).padStart(2, "0");
  return out;
}
