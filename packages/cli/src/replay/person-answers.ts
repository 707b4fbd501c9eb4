import { resolve } from "node:path";
import { decodeValue } from "@reenact/envelope";
import { type GivenResult, givenValue, openQuestions, type RecordedStep, type Tape } from "@reenact/replay";
import { oneLine } from "@reenact/view";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";

/**
 * The answers of a person to the questions at which a run is suspended: `yes` where it asks one, `name=yes` where it asks several. Throws
 * for a run that is not suspended, a question without an answer, and an answer that redaction would replace: the plan of a replay is a
 * file.
 */
export function personAnswers(tape: Tape, answers: readonly string[], store: string): GivenResult[] {
  const open = openQuestions(tape);
  if (open.length === 0) throw notSuspended(tape);
  const given = answers.map((text) => answerOf(text, open, store));
  const twice = given.find(({ step }, n) => given.findIndex((other) => other.step === step) < n);
  if (twice !== undefined) throw usage(`step ${twice.step + 1} is answered twice`, "leave out one of the two");
  const left = open.filter(({ index }) => given.every(({ step }) => step !== index));
  if (left.length > 0) throw usage(`not answered: ${left.map(asked).join("; ")}`, `--answer ${formOf(left[0]!, open)}`);
  return given;
}

function answerOf(text: string, open: readonly RecordedStep[], store: string): GivenResult {
  const named = open.filter(({ name }) => text.startsWith(`${name}=`));
  const [step] = named.length > 0 ? named : open;
  const value = named.length > 0 && step !== undefined ? text.slice(step.name.length + 1) : text;
  if (step === undefined || (named.length === 0 && open.length > 1))
    throw usage(
      "the run asks several questions",
      `--answer ${open.map((each) => formOf(each, open)).join(" --answer ")}`,
    );
  if (named.length > 1)
    throw usage(
      `the run asks ${oneLine(step.name, 60)} more than once at the same time`,
      "give the questions names of their own",
    );
  const [, other] = named.length > 0 ? [] : (/^([\w.-]+)=/.exec(text) ?? []);
  if (other !== undefined)
    throw usage(
      `the run does not ask ${oneLine(other, 60)}, but ${oneLine(step.name, 60)}`,
      `--answer ${oneLine(step.name, 60)}=<answer>, also for an answer with = in it`,
    );
  return { step: step.index, value: valueOf(value, store) };
}

/** JSON, or a text where it is none; `@file`: its content. */
function valueOf(text: string, store: string): GivenResult["value"] {
  if (text.startsWith("@")) {
    const file = { file: resolve(text.slice(1)) };
    try {
      givenValue(file);
    } catch (error) {
      throw usage(`cannot read ${oneLine(text.slice(1), 200)}: ${messageOf(error)}`, "check the path");
    }
    return file;
  }
  const json = isJson(text) ? text : JSON.stringify(text);
  if (projectScrubber({ store }).scrub(json, { mime: "application/json" }).text !== json)
    throw usage("the answer holds something that redaction replaces", "put it into a file: --answer @<file>");
  return { json };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const formOf = ({ name }: RecordedStep, open: readonly RecordedStep[]): string =>
  open.length > 1 ? `${oneLine(name, 60)}=<answer>` : "<answer>";

/** A question in words, with its step. */
export function asked({ name, index, record }: RecordedStep): string {
  const question = questionOf(record.call?.args);
  return `${oneLine(name, 60)} (step ${index + 1})${question === "" ? "" : `: ${oneLine(question, 200)}`}`;
}

function questionOf(args: string | undefined): string {
  const [question] = (args === undefined ? [] : decodeValue(args)) as unknown[];
  return typeof question === "string" ? question : "";
}

function notSuspended(tape: Tape): CliError {
  const id = tape.runId.slice(0, 8);
  const asks = tape.ordered.find(({ record }) => record.op.startsWith("input:"));
  return usage(
    `run ${id} is not suspended: it waits for no answer`,
    asks === undefined
      ? "record it with reenact run --suspend, so that it is suspended where it asks with input()"
      : `reenact replay ${id} --fork ${asks.index + 1} --set input.${oneLine(asks.name, 60)}=<JSON> -- <command> gives step ${asks.index + 1} another answer`,
  );
}

const usage = (what: string, next: string): CliError => new CliError("REEN-USAGE", `--answer: ${what}`, next);
