import type { AttributeValue } from "@reenact/capture";
import {
  AUDIO_MIME_TYPE,
  AUDIO_TRANSCRIPT,
  IMAGE_URL,
  MESSAGE_CONTENT,
  MESSAGE_CONTENT_AUDIO,
  MESSAGE_CONTENT_DATA,
  MESSAGE_CONTENT_ENCRYPTED_CONTENT,
  MESSAGE_CONTENT_ID,
  MESSAGE_CONTENT_IMAGE,
  MESSAGE_CONTENT_SIGNATURE,
  MESSAGE_CONTENT_TEXT,
  MESSAGE_CONTENT_TYPE,
  MESSAGE_CONTENTS,
  MESSAGE_NAME,
  MESSAGE_ROLE,
  MESSAGE_TOOL_CALL_ID,
  MESSAGE_TOOL_CALLS,
  TOOL_CALL_FUNCTION_ARGUMENTS_JSON,
  TOOL_CALL_FUNCTION_NAME,
  TOOL_CALL_ID,
} from "@arizeai/openinference-semantic-conventions";

export interface Part {
  /** `text`, `image`, `audio`, `file`, `reasoning`, `refusal`, `citation`, or the provider's own word */
  readonly type: string;
  readonly text?: string | undefined;
  /** address of a picture; its bytes never stand here */
  readonly url?: string | undefined;
  readonly mime?: string | undefined;
  readonly transcript?: string | undefined;
  readonly id?: string | undefined;
  readonly signature?: string | undefined;
  readonly data?: string | undefined;
  readonly encrypted?: string | undefined;
}

export interface ToolCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: string;
}

/** A message of either direction, of any provider. */
export interface Message {
  readonly role: string;
  readonly name?: string | undefined;
  /** the tool call that this message answers */
  readonly answers?: string | undefined;
  readonly parts: readonly Part[];
  readonly calls?: readonly ToolCall[];
}

/** Flattened OpenInference attributes of the messages under `llm.input_messages` or `llm.output_messages`. */
export function putMessages(
  attributes: Record<string, AttributeValue>,
  prefix: string,
  messages: readonly Message[],
): void {
  const put = (key: string, value: string | undefined): void => {
    if (value !== undefined) attributes[key] = value;
  };
  messages.forEach((message, index) => {
    const at = `${prefix}.${index}.`;
    put(at + MESSAGE_ROLE, message.role);
    put(at + MESSAGE_NAME, message.name);
    put(at + MESSAGE_TOOL_CALL_ID, message.answers);
    const only = message.parts.length === 1 ? message.parts[0] : undefined;
    if (only?.type === "text") put(at + MESSAGE_CONTENT, only.text);
    else message.parts.forEach((part, n) => putPart(put, `${at}${MESSAGE_CONTENTS}.${n}.`, part));
    message.calls?.forEach((call, n) => {
      const callAt = `${at}${MESSAGE_TOOL_CALLS}.${n}.`;
      put(callAt + TOOL_CALL_ID, call.id);
      put(callAt + TOOL_CALL_FUNCTION_NAME, call.name);
      put(callAt + TOOL_CALL_FUNCTION_ARGUMENTS_JSON, call.args);
    });
  });
}

function putPart(put: (key: string, value: string | undefined) => void, at: string, part: Part): void {
  put(at + MESSAGE_CONTENT_TYPE, part.type);
  put(at + MESSAGE_CONTENT_TEXT, part.text);
  put(`${at}${MESSAGE_CONTENT_IMAGE}.${IMAGE_URL}`, part.url);
  put(`${at}${MESSAGE_CONTENT_AUDIO}.${AUDIO_MIME_TYPE}`, part.type === "audio" ? part.mime : undefined);
  put(`${at}${MESSAGE_CONTENT_AUDIO}.${AUDIO_TRANSCRIPT}`, part.transcript);
  put(at + MESSAGE_CONTENT_ID, part.id);
  put(at + MESSAGE_CONTENT_SIGNATURE, part.signature);
  put(at + MESSAGE_CONTENT_DATA, part.data);
  put(at + MESSAGE_CONTENT_ENCRYPTED_CONTENT, part.encrypted);
}
