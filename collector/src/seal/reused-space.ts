const MIB = 1024 ** 2;

/** Memory for one run after the other: grown for the largest, given back when a much larger one was an exception. */
export function createReusedSpace(keep = 64 * MIB): (bytes: number) => Uint8Array {
  let space = new Uint8Array();
  return (bytes) => {
    if (bytes > space.length || space.length > Math.max(keep, bytes * 8)) {
      // Room to grow for the next one, but not beside a giant.
      space = new Uint8Array(Math.ceil((bytes > keep ? bytes : bytes * 1.25) / MIB) * MIB);
    }
    return space;
  };
}
