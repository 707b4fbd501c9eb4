import { errorCode } from "@reenact/envelope";
/** Whether a process with this id is there. The id may have been given to another one since. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
