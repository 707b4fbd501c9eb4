import { count, object } from "../wire/json.ts";
import type { Usage } from "../view/view.ts";

/** Token counts under the names of chat completions, of responses, or of a compatible host. */
export function readUsage(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = object(value);
  const asked = object(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const answered = object(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
  return {
    input: count(usage["prompt_tokens"]) ?? count(usage["input_tokens"]),
    output: count(usage["completion_tokens"]) ?? count(usage["output_tokens"]),
    total: count(usage["total_tokens"]),
    cacheRead: count(asked["cached_tokens"]) ?? count(usage["prompt_cache_hit_tokens"]),
    cacheWrite: count(asked["cache_write_tokens"]),
    inputAudio: count(asked["audio_tokens"]),
    reasoning: count(answered["reasoning_tokens"]),
    outputAudio: count(answered["audio_tokens"]),
  };
}
