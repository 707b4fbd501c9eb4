import { CliError } from "../errors/cli-error.ts";

/** Reads `name: value`, as `--header` gives it. Throws `REEN-USAGE` for a text that is no header. */
export function givenHeader(text: string): readonly [name: string, value: string] {
  const colon = text.indexOf(":");
  const name = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  if (colon === -1 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new CliError("REEN-USAGE", "--header takes a name and a value", '--header "authorization: Bearer …"');
  return [name, value];
}
