import { failedAnswer, WireFailure } from "@reenact/capture/hook";

/** Classes of the driver's errors, by their names. */
export type DriverErrors = Readonly<Record<string, unknown>>;

/** An error that the driver makes itself, as a step has it. */
interface ToldError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  readonly labels?: readonly string[];
  /** the connection was being made */
  readonly beforeHandshake?: true;
  /** what the server has said, where it is that */
  readonly response?: unknown;
  readonly cause?: ToldError;
}

/** What is used of the driver's errors. */
interface DriverError extends Error {
  code?: string | number;
  readonly errorLabels?: readonly string[];
  readonly beforeHandshake?: boolean;
  readonly errorResponse?: unknown;
  addErrorLabel?(label: string): void;
}

/** As the step of what has failed ends; `driverError` gives it back. */
export function driverFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = toldError(error);
  const { message, code } = told;
  return new WireFailure({ message, ...(code !== undefined && { code: String(code) }) }, { driverError: told });
}

/**
 * The error of the driver that the step of what has failed holds, of the driver's own class. `error` itself where it is none.
 *
 * @param special makes errors of classes that take more than a message
 */
export function driverError(
  error: unknown,
  classes: DriverErrors,
  special: (name: string, message: string) => Error | undefined = () => undefined,
): unknown {
  const answer = failedAnswer(error)?.answer;
  const told = typeof answer === "object" && answer !== null && "driverError" in answer ? answer.driverError : null;
  return told === null ? error : errorOf(told as ToldError, classes, special);
}

function toldError(error: DriverError): ToldError {
  const { name, message, code, errorLabels = [], beforeHandshake, errorResponse, cause } = error;
  return {
    name,
    message,
    ...((typeof code === "string" || typeof code === "number") && { code }),
    ...(errorLabels.length > 0 && { labels: [...errorLabels] }),
    ...(beforeHandshake === true && { beforeHandshake }),
    ...(errorResponse !== undefined && { response: plainJson(errorResponse) }),
    ...(cause instanceof Error && { cause: toldError(cause) }),
  };
}

/** Times of a cluster and bytes of a challenge are of no use to a program. */
function plainJson(value: unknown): unknown {
  const { $clusterTime: _, operationTime: __, ...rest } = value as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest)) as unknown;
}

function errorOf(
  told: ToldError,
  classes: DriverErrors,
  special: (name: string, message: string) => Error | undefined,
): Error {
  const error: DriverError = special(told.name, told.message) ?? plainError(told, classes);
  for (const label of told.labels ?? []) error.addErrorLabel?.(label);
  if (told.code !== undefined) error.code = told.code;
  return error;
}

function plainError(told: ToldError, classes: DriverErrors): Error {
  const { name, message, beforeHandshake, response } = told;
  const options = {
    ...(told.cause !== undefined && { cause: errorOf(told.cause, classes, () => undefined) }),
    ...(beforeHandshake === true && { beforeHandshake }),
  };
  const Class = classes[name] as (new (first: unknown, options: object) => Error) | undefined;
  if (Class === undefined) return Object.assign(new Error(message, options), { name });
  return new Class(response === undefined ? message : { message, ...(response as object) }, options);
}
