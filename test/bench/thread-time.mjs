const { cpuUsage, threadCpuUsage } = process;

/** Microseconds that this thread has been on a processor. */
export function threadTime() {
  // Linux brings a running thread's own account up to date only when the process's is asked for
  cpuUsage.call(process);
  const { user, system } = threadCpuUsage.call(process);
  return user + system;
}
