import { originalFs } from "../spool/original-fs.ts";

let known: string | null = null;

/**
 * The start of the system and the process namespace that ids of processes count in, as this process sees it: only there
 * does an id that nobody has tell that its process has ended. A spool may lie on a disk that other machines and containers
 * share. Null where the system does not tell.
 */
export function pidSpace(): string | null {
  return (known ??= readPidSpace());
}

function readPidSpace(): string | null {
  if (process.platform !== "linux") return null;
  try {
    const boot = originalFs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${originalFs.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}
