import { createRequire } from "node:module";
import { join } from "node:path";

/** The part of TypeScript's language service that is used here; version 7 does not offer it any more. */
interface LanguageService {
  getQuickInfoAtPosition(
    file: string,
    position: number,
  ): { readonly documentation?: readonly { readonly text: string }[] } | undefined;
}
interface TypeScript {
  sys: { readFile(path: string): string | undefined; fileExists(path: string): boolean };
  ScriptSnapshot: { fromString(text: string): unknown };
  createLanguageService(host: unknown): LanguageService;
  getDefaultLibFilePath(options: unknown): string;
  ModuleKind: { NodeNext: number };
}

/** The documentation that an editor shows at the first call of a function. The project must have TypeScript 5 installed. */
export function editorHelp(folder: string, file: string, word: string): string {
  const ts = createRequire(join(folder, "package.json"))("typescript") as TypeScript;
  const path = join(folder, file);
  const options = { module: ts.ModuleKind.NodeNext, strict: true, types: [] };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name: string) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name: string) => ts.sys.fileExists(name),
    readFile: (name: string) => ts.sys.readFile(name),
  });
  const position = (ts.sys.readFile(path) ?? "").indexOf(`${word}(`);
  const shown = service.getQuickInfoAtPosition(path, position)?.documentation ?? [];
  return shown.map(({ text }) => text).join("");
}
