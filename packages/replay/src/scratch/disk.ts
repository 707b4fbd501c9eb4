import fs from "node:fs";

/** File functions as they were when this module was loaded: before any patch, so that our own calls are not counted. */
export const disk = {
  accessSync: fs.accessSync,
  chmodSync: fs.chmodSync,
  closeSync: fs.closeSync,
  copyFileSync: fs.copyFileSync,
  lchownSync: fs.lchownSync,
  lstatSync: fs.lstatSync,
  lutimesSync: fs.lutimesSync,
  mkdirSync: fs.mkdirSync,
  mkdtempSync: fs.mkdtempSync,
  openSync: fs.openSync,
  opendirSync: fs.opendirSync,
  readSync: fs.readSync,
  readFileSync: fs.readFileSync,
  readdirSync: fs.readdirSync,
  readlinkSync: fs.readlinkSync,
  realpathSync: fs.realpathSync,
  renameSync: fs.renameSync,
  rmSync: fs.rmSync,
  statSync: fs.statSync,
  symlinkSync: fs.symlinkSync,
  unlinkSync: fs.unlinkSync,
  utimesSync: fs.utimesSync,
  writeFileSync: fs.writeFileSync,
} as const;
