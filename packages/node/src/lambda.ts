import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { recorder, watchedExport } from "@reenact/capture/recorder";
import { awslambda, isStreaming, lambdaPlace, lambdaStream } from "@reenact/hooks";

const USAGE = `Usage: reenact-lambda <file.export> [event.json]

Calls the handler of an AWS Lambda function as its runtime does, with the event of the file, and prints what it returns.
In a replay the handler gets the recorded event:
  reenact replay <run> -- npx reenact-lambda index.handler
`;

/**
 * Runs an AWS Lambda handler without its runtime: once, with the event of a file; in a replay it waits for the recorded one.
 *
 * @param args of the command: the handler setting of the function, and the file
 */
export async function runLambda([setting = "", file]: readonly string[]): Promise<void> {
  const place = lambdaPlace(setting, process.cwd(), setting);
  const path = place?.endings.map((ending) => place.file + ending).find((each) => existsSync(each));
  if (place === null || path === undefined) return refuse(`no file for the handler "${setting}" in ${process.cwd()}`);
  Object.assign(globalThis, { awslambda });
  const handler = watchedExport("jobs/aws-lambda", (await import(pathToFileURL(path).href)) as object, place);
  if (typeof handler !== "function") return refuse(`${path} has no function "${place.name}"`);
  // the recorded event is given to the handler
  if (recorder.deliversJobs) return;
  if (file === undefined) return refuse("no event: name a file of JSON");
  await invoke(handler as Handler, JSON.parse(readFileSync(file, "utf8")) as unknown);
}

/** An invocation on the platform takes no longer. */
const LONGEST_MS = 900_000;

type Handler = (...given: readonly unknown[]) => unknown;

async function invoke(handler: Handler, event: unknown): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  const context = {
    functionName: "local",
    awsRequestId: crypto.randomUUID(),
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  if (isStreaming(handler))
    await handler(
      event,
      lambdaStream((chunk) => process.stdout.write(chunk)),
      context,
    );
  else if (handler.length < 3) print(await handler(event, context));
  else {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const returned = handler(event, context, (error: unknown, value: unknown) =>
      error === undefined || error === null ? resolve(value) : reject(error as Error),
    );
    print(await (returned instanceof Promise ? returned : promise));
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
}

function refuse(why: string): void {
  process.stderr.write(`reenact-lambda: ${why}\n\n${USAGE}`);
  process.exitCode = 2;
}
