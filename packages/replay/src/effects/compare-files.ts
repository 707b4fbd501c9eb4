import type { FileFact, FilesFacts } from "@reenact/node";
import { byRecordedPath } from "./align-paths.ts";
import { comparePermissions, onePermissions, type Umasks } from "./compare-permissions.ts";
import { firstDifferentLine } from "./output.ts";
import { isSameContent } from "./same-content.ts";
import type { Ledger } from "../verdict/ledger.ts";

interface FileRules {
  /** names of recorded tokens for those of now */
  translate(token: string): string;
  /** whether the body of this tool step did not run here */
  isServed(scope: number): boolean;
}

interface JudgeRules extends FileRules {
  ledger: Ledger;
  umasks: Umasks;
}

interface FileDifference {
  what: string;
  recorded: unknown;
  now: unknown;
}

/** `why`: nothing can be said of this path. */
type Judged = FileDifference | { why: string } | null;

/** More differences than these are only counted in the cause. */
const SHOWN = 5;

/** Compares the files that a run wrote, made or removed with those of the record, as they are at the end. */
export function compareFiles(ledger: Ledger, recorded: FilesFacts, now: FilesFacts, rules: FileRules): void {
  const then = new Map(recorded.written.map((fact) => [fact.path, fact]));
  const here = byRecordedPath(ledger, recorded.written, now.written);
  const isCut = (recorded.dropped ?? 0) > 0 || (now.dropped ?? 0) > 0;
  const umasks = { recorded: recorded.umask, now: now.umask };
  const differences: FileDifference[] = [];
  for (const key of new Set([...then.keys(), ...here.keys()])) {
    const judged = judge(then.get(key) ?? null, here.get(key) ?? null, isCut, { ...rules, ledger, umasks });
    if (judged === null) continue;
    if ("why" in judged) ledger.note(`not compared: ${judged.why}`);
    else differences.push(judged);
  }
  if (isCut) ledger.note("not compared: files that it wrote beyond the first 1,000");
  const [first] = differences;
  if (first === undefined) return;
  if (recorded.unsettled === true || now.unsettled === true) {
    ledger.note(`not compared: files, since operations were under way when the run ended (${first.what})`);
    return;
  }
  ledger.findings.add("files-changed");
  const more = differences.length > SHOWN ? `; and ${differences.length - SHOWN} more` : "";
  const cause = differences
    .slice(0, SHOWN)
    .map(({ what }) => what)
    .join("; ");
  const { recorded: was, now: is } = first;
  ledger.diverged(null, null, "files-changed", { pointer: "", recorded: was, now: is }, cause + more);
}

function judge(recorded: FileFact | null, now: FileFact | null, isCut: boolean, rules: JudgeRules): Judged {
  if (recorded?.shared === true || now?.shared === true) return null;
  const { tools = [], path = "" } = recorded ?? {};
  const served = tools.filter((scope) => scope !== -1 && rules.isServed(scope));
  if (served.length > 0)
    return served.length === tools.length ? null : { why: `${path}, which a tool that was served here wrote too` };
  if (recorded !== null && now !== null) return judgeBoth(recorded, now, rules);
  const fact = recorded ?? now;
  return isCut || fact === null ? null : judgeOne(fact, recorded === null);
}

function judgeBoth(recorded: FileFact, now: FileFact, rules: JudgeRules): Judged {
  if (recorded.state !== now.state)
    return {
      what: `${recorded.path} ${WAS[recorded.state]} when recorded, ${IS[now.state]} now`,
      ...shown(recorded, now),
    };
  const isOnly = recorded.permissionsOnly === true;
  if (isOnly !== (now.permissionsOnly === true)) return judgeOne(isOnly ? now : recorded, isOnly);
  const content = isOnly ? null : judgeContent(recorded, now, rules);
  if (content !== null && "what" in content) return content;
  const permissions = comparePermissions(recorded, now, rules.umasks);
  return permissions !== null && "what" in permissions ? permissions : (content ?? permissions);
}

const WAS = {
  file: "was a file",
  folder: "was a folder",
  link: "was a link",
  absent: "was not there at the end",
  other: "was no file",
};
const IS = { file: "is a file", folder: "is a folder", link: "is a link", absent: "is not there", other: "is no file" };

/** Written on one side only. What was not there before and is not there at the end left no trace. */
function judgeOne(fact: FileFact, isNow: boolean): Judged {
  const { path, state, before } = fact;
  if (fact.permissionsOnly === true) return onePermissions(fact, isNow);
  if (state === "absent" && before.state === "absent") return null;
  if (state === "folder" && before.state === "folder") return null;
  const verb = state === "absent" ? "removed" : state === "folder" ? "made" : "written";
  const what = isNow ? `${path} is ${verb} now` : `${path} was ${verb} when recorded, is not now`;
  return { what, ...(isNow ? shown(null, fact) : shown(fact, null)) };
}

function judgeContent(recorded: FileFact, now: FileFact, rules: JudgeRules): Judged {
  const { path, state } = recorded;
  if (state !== "file" && state !== "link") return null;
  if (recorded.sha256 === undefined || now.sha256 === undefined)
    return { why: `the content of ${path}, which is too large or was not read in time` };
  if (isSameContent(rules.ledger, recorded, now)) return judgeFormer(recorded, now);
  if ((recorded.depends === true || now.depends === true) && !isSameBefore(recorded, now))
    return {
      why: `${path}, which was ${describe(recorded.before)} before the recorded run wrote it, and ${describe(now.before)} before this one`,
    };
  const added = recorded.appended === true ? "added to it: " : "";
  return {
    what: `${path}: ${added}other content (${bytes(now)} now)${whereDifferent(recorded, now, rules)}`,
    ...shown(recorded, now),
  };
}

/** The same was written: whether what was there before it is gone. */
function judgeFormer(recorded: FileFact, now: FileFact): Judged {
  const isLost = recorded.appended === true && now.appended !== true && (now.before.bytes ?? 0) > 0;
  return isLost
    ? { what: `${recorded.path}: what it held before is gone; when recorded, it was added to`, ...shown(recorded, now) }
    : null;
}

function whereDifferent(recorded: FileFact, now: FileFact, { translate }: JudgeRules): string {
  const line = firstDifferentLine(recorded, now, translate);
  if (line === null || recorded.more === undefined) return "";
  const text = line.now !== undefined && line.now !== null ? ` (now: ${line.now.slice(0, 200)})` : "";
  return `, from line ${line.line} on${text}`;
}

function isSameBefore({ before: a }: FileFact, { before: b }: FileFact): boolean {
  if (a.state !== b.state) return false;
  return a.sha256 !== undefined && b.sha256 !== undefined ? a.sha256 === b.sha256 : a.bytes === b.bytes;
}

function describe({ state, bytes: size }: FileFact["before"]): string {
  if (state === "absent") return "not there";
  return state === "file" ? `another file of ${size ?? 0} bytes` : `a ${state}`;
}

const bytes = ({ bytes: size = 0 }: FileFact): string => `${size} byte${size === 1 ? "" : "s"}`;

function shown(recorded: FileFact | null, now: FileFact | null): { recorded: unknown; now: unknown } {
  const of = (fact: FileFact | null): unknown =>
    fact === null
      ? null
      : {
          path: fact.path,
          state: fact.state,
          ...(fact.bytes !== undefined && { bytes: fact.bytes }),
          ...(fact.sha256 !== undefined && { sha256: fact.sha256 }),
        };
  return { recorded: of(recorded), now: of(now) };
}
