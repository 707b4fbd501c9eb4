import { randomBytes } from "node:crypto";

/** A value for `REENACT_LAUNCH`: the process that asks for it will seal what is recorded under it. */
export function launchName(): string {
  return `${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** Id of the process that will seal what was recorded under this name; 0 where the name does not say. */
export function launcherOf(launch: string): number {
  return Number(/^(\d+)-/.exec(launch)?.[1] ?? 0);
}
