/** Whether a run was recorded on another minor version of Node than this one. */
export function isOtherNode(recorded: string | undefined): boolean {
  return recorded !== undefined && minor(recorded) !== minor(process.versions.node);
}

function minor(version: string): string {
  return version.replace(/^v/, "").split(".").slice(0, 2).join(".");
}
