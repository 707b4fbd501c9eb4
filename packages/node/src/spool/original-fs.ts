import fs from "node:fs";

/** File functions as they were when the recorder was loaded: before any patch, so that ours never count as the agent's. */
export const originalFs = {
  openSync: fs.openSync,
  writeSync: fs.writeSync,
  writevSync: fs.writevSync,
  closeSync: fs.closeSync,
  mkdirSync: fs.mkdirSync,
  statSync: fs.statSync,
  fstatSync: fs.fstatSync,
  statfsSync: fs.statfsSync,
  readdirSync: fs.readdirSync,
  readFileSync: fs.readFileSync,
  readlinkSync: fs.readlinkSync,
  writeFileSync: fs.writeFileSync,
} as const;
