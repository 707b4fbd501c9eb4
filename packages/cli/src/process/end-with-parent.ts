/** Started by the pages of `reenact up`, over a channel: what nobody waits for any more ends as by Ctrl-C. */
export function endWithParent(): void {
  if (!process.connected) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // the channel alone does not keep this process
  process.channel?.unref();
}
