/** Frames as V8 prints them, also in JSON: `    at load (file:///app/agent.mjs:12:5)`. */
const FRAME = /((?:^|\\n)\s*at [^\n]*?\.[cm]?[jt]sx?):\d+:\d+(?=\)|$|\s|\\n|")/g;

/**
 * A line of output whose frames of stack traces name no position and no folder of the program. A comment above a `throw`
 * moves positions, another checkout has another folder: neither is a change of what the program does.
 */
export function withoutPositions(line: string, folder: string): string {
  return line.replace(FRAME, (_, frame: string) => (folder === "" ? frame : frame.replaceAll(folder, "")));
}
