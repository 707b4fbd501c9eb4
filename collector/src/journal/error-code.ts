/** The code of an error of the file system, such as `ENOSPC`. It stands here since the journal's thread loads no package. */
export function errorCode(error: unknown): string | undefined {
  const isCoded = typeof error === "object" && error !== null && "code" in error;
  return isCoded && typeof error.code === "string" ? error.code : undefined;
}
