import type { Failure } from "../answer.ts";
import type { Json } from "../json.ts";

/** An error document of OpenAI, which many providers share. */
export function openaiFailure({ type, message }: Failure): Json {
  return { error: { message, type, param: null, code: type } };
}
