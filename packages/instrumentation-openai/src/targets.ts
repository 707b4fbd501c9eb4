import type { Reading } from "@reenact/capture/dialect";
import { chat } from "./chat/chat.ts";
import { completions } from "./completions/completions.ts";
import { embeddings } from "./embeddings/embeddings.ts";
import { images } from "./images/images.ts";
import { moderations } from "./moderations/moderations.ts";
import { compact, countInput, responses, retrieve } from "./responses/responses.ts";
import { speech, transcription } from "./audio/audio.ts";
import { thin } from "./thin.ts";

export interface Target {
  readonly method: "GET" | "POST" | "DELETE";
  /** end of the path */
  readonly path: RegExp;
  /** of each group the JSON body has at least one of the keys; absent: the path says too little without a known host */
  readonly proof?: ReadonlyArray<readonly string[]>;
  /** a form is accepted as well: a field that it has, or true when the path is proof enough */
  readonly form?: string | true;
  /** the path is proof enough while the body is not known yet */
  readonly distinctive?: true;
  readonly reading: Reading;
}

/** What is where. The first row that fits counts. */
export const TARGETS: readonly Target[] = [
  { method: "POST", path: /\/chat\/completions$/, proof: [["messages"]], distinctive: true, reading: chat },
  { method: "POST", path: /\/completions$/, proof: [["messages"]], reading: chat },
  { method: "POST", path: /\/completions$/, proof: [["prompt"]], reading: completions },
  {
    method: "POST",
    path: /\/responses$/,
    proof: [
      ["model", "prompt"],
      ["input", "prompt", "conversation", "previous_response_id"],
    ],
    reading: responses,
  },
  {
    method: "POST",
    path: /\/responses\/compact$/,
    proof: [["model"], ["input", "previous_response_id"]],
    reading: compact,
  },
  {
    method: "POST",
    path: /\/responses\/input_tokens$/,
    proof: [["input", "previous_response_id"]],
    reading: countInput,
  },
  { method: "GET", path: /\/responses\/[\w-]+$/, reading: retrieve },
  { method: "POST", path: /\/responses\/[\w-]+\/cancel$/, reading: retrieve },
  { method: "POST", path: /\/embeddings$/, proof: [["input"]], reading: embeddings },
  { method: "POST", path: /\/moderations$/, proof: [["input"]], reading: moderations },
  { method: "POST", path: /\/images\/generations$/, proof: [["prompt"]], reading: images("generations") },
  { method: "POST", path: /\/images\/edits$/, proof: [["prompt"]], form: true, reading: images("edits") },
  { method: "POST", path: /\/images\/variations$/, form: true, reading: images("variations") },
  { method: "POST", path: /\/audio\/speech$/, proof: [["input"], ["model", "voice"]], reading: speech },
  {
    method: "POST",
    path: /\/audio\/transcriptions$/,
    proof: [["model"]],
    form: true,
    reading: transcription("transcriptions"),
  },
  {
    method: "POST",
    path: /\/audio\/translations$/,
    proof: [["model"]],
    form: true,
    reading: transcription("translations"),
  },
  { method: "POST", path: /\/files$/, form: "purpose", reading: thin("files", true) },
  { method: "GET", path: /\/files(?:\/[\w-]+(?:\/content)?)?$/, reading: thin("files.get") },
  { method: "DELETE", path: /\/files\/[\w-]+$/, reading: thin("files.delete") },
  { method: "POST", path: /\/batches$/, proof: [["input_file_id"], ["endpoint"]], reading: thin("batches", true) },
  { method: "POST", path: /\/batches\/[\w-]+\/cancel$/, reading: thin("batches.cancel") },
  { method: "GET", path: /\/batches(?:\/[\w-]+)?$/, reading: thin("batches.get") },
];
