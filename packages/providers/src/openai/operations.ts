import { auxiliaries } from "../auxiliary.ts";
import { createOperations } from "../operation.ts";
import { speech, transcription } from "./audio/audio.ts";
import { chat } from "./chat/chat.ts";
import { completions } from "./completions/completions.ts";
import { embeddings } from "./embeddings/embeddings.ts";
import { images } from "./images/images.ts";
import { moderations } from "./moderations/moderations.ts";
import { countInput, responses } from "./responses/responses.ts";
import { splitBy } from "./split.ts";

const auxiliary = auxiliaries(splitBy({}));

export const operations = createOperations({
  chat,
  completions,
  responses,
  // the answer of this one is items too
  "responses.compact": responses,
  "responses.input_tokens": countInput,
  // the answer to a response that was started in the background arrives here, with its tool calls
  "responses.retrieve": responses,
  embeddings,
  moderations,
  "images.generations": images,
  "images.edits": images,
  "images.variations": images,
  "audio.speech": speech,
  "audio.transcriptions": transcription,
  "audio.translations": transcription,
  files: auxiliary("files", { agentic: true }),
  "files.get": auxiliary("files.get"),
  "files.delete": auxiliary("files.delete"),
  batches: auxiliary("batches", { agentic: true }),
  "batches.cancel": auxiliary("batches.cancel"),
  "batches.get": auxiliary("batches.get"),
});
