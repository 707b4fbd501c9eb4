import { findTokens } from "@reenact/envelope";
import type { Change } from "../scrub/change.ts";
import { shifted } from "../scrub/change.ts";
import { isCredential } from "../detect/secrets/credential.ts";
import { CUE } from "../detect/cue.ts";
import { isPlaceholder } from "../detect/secrets/placeholder.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { fieldContext } from "../names/field-context.ts";
import { namesValues } from "../names/names-values.ts";
import { isSecretName } from "../names/secret-name.ts";
import { formatCells } from "./format-cells.ts";
import { secretLines } from "./secret-lines.ts";
import { sqlValues } from "./sql-values.ts";
import { type Cell, tableCells } from "./table-cells.ts";

const SHORTEST_TEXT = 12;
const SHORTEST_SECRET = 4;
const PASSWORD = /(?:pass(?:word|wd|code|phrase)?s?|pwd|kennwort|passwort|contraseña|otp)$/i;
const WORDS = CUE.address | CUE.person | CUE.postcode;
/** `host:port:database:user:password`, a line of `.pgpass`. */
const PASSWORD_LINE =
  /(?:[\w.-]{1,253}|\*):(?:\d{2,5}|\*):(?:[\w-]{1,63}|\*):(?:[\w.@-]{1,63}|\*):((?:[^\s:\\]|\\[:\\]){4,128})(?=\s|$)/y;

/** Changes in the cells of tables and in the values of statements that stand below names, as if these were members. */
export function cellChanges(text: string, context: ScanContext, nest: Nesting): Change[] {
  if (text.length < SHORTEST_TEXT) return [];
  const out: Change[] = [];
  for (const cell of [
    ...tableCells(text, namesValues),
    ...sqlValues(text, namesValues),
    ...secretLines(text, namesValues),
    ...formatCells(text),
    ...passwordLines(text),
  ]) {
    const { start, end, name } = cell;
    const value = text.slice(start, end);
    // a cell that holds a token has been redacted before
    if (isSecretName(name) && (findTokens(value).length > 0 || !maySecret(value, cell))) continue;
    // in prose and documentation a table explains what such words mean
    if (cell.kind === "bars" && !isSecretName(name) && isOfWords(name)) continue;
    out.push(...shifted(leafChanges(value, name, context, { ...nest, encoded: true }), start));
  }
  return out;
}

const isOfWords = (name: string): boolean => (fieldContext(name).cue.kinds & ~(CUE.version | WORDS)) === 0;

/** In prose and documentation other things stand below such names. */
function maySecret(value: string, { name, quoted, kind }: Cell): boolean {
  if (isCredential(value, true)) return true;
  return (
    kind !== "bars" &&
    PASSWORD.test(name) &&
    value.length >= SHORTEST_SECRET &&
    (quoted || !/\s/.test(value)) &&
    !isPlaceholder(value)
  );
}

function passwordLines(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const mark of ["5432:", "5433:", "6432:", "*:"]) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) {
      PASSWORD_LINE.lastIndex = text.lastIndexOf("\n", at) + 1;
      const found = PASSWORD_LINE.exec(text)?.[1];
      if (found === undefined || PASSWORD_LINE.lastIndex < at) continue;
      const end = PASSWORD_LINE.lastIndex;
      if (cells.some((cell) => cell.end === end)) continue;
      cells.push({ start: end - found.length, end, name: "password", quoted: false, kind: "list" });
    }
  }
  return cells;
}
