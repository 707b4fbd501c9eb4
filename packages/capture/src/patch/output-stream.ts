/**
 * Calls `use` with a standard stream of the process when the program first reads `process.stdout`, say. Node
 * creates the stream at that read, which has effects (it opens a pipe), so it is not created earlier. Returns the undo.
 */
export function onFirstUse(name: "stdout" | "stderr", use: (stream: NodeJS.WriteStream) => void): () => void;
export function onFirstUse(name: "stdin", use: (stream: NodeJS.ReadStream) => void): () => void;
export function onFirstUse(name: "stdin" | "stdout" | "stderr", use: (stream: never) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name);
  const real = before?.get;
  if (before === undefined || real === undefined || before.configurable !== true) return () => {};
  let used = false;
  const get = function (this: NodeJS.Process): unknown {
    const stream: unknown = Reflect.apply(real, process, []);
    if (!used) {
      used = true;
      use(stream as never);
    }
    return stream;
  };
  Object.defineProperty(get, "name", { value: real.name, configurable: true });
  Object.defineProperty(process, name, { ...before, get });
  return () => {
    if (Object.getOwnPropertyDescriptor(process, name)?.get === get) Object.defineProperty(process, name, before);
  };
}
