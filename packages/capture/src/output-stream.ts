/**
 * Calls `use` with an output of the process when the program first reads `process.stdout` or `process.stderr`. Node
 * creates the stream at that read, which has effects (it opens a pipe), so it is not created earlier. Returns the undo.
 */
export function onFirstUse(name: "stdout" | "stderr", use: (stream: NodeJS.WriteStream) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name);
  const real = before?.get;
  if (before === undefined || real === undefined || before.configurable !== true) return () => {};
  let used = false;
  const get = function (this: NodeJS.Process): NodeJS.WriteStream {
    const stream = Reflect.apply(real, process, []) as NodeJS.WriteStream;
    if (!used) {
      used = true;
      use(stream);
    }
    return stream;
  };
  Object.defineProperty(get, "name", { value: real.name, configurable: true });
  Object.defineProperty(process, name, { ...before, get });
  return () => {
    if (Object.getOwnPropertyDescriptor(process, name)?.get === get) Object.defineProperty(process, name, before);
  };
}
