import { FrameReader, OPCODE } from "./frame-reader.ts";
import { messageOf, type WebSocketMessage } from "./web-socket-message.ts";

/** A frame, and the message that is whole with it. */
export interface ReadFrame {
  readonly message: WebSocketMessage | null;
  readonly bytes: Buffer;
}

/** Reads the messages of one direction. Throws where they cannot be read; `unread` has the bytes then. */
export class MessageReader {
  readonly #frames = new FrameReader();
  #opcode: number | null = null;
  #payloads: Buffer[] = [];
  #fragments: Buffer[] = [];
  #given = 0;

  /** the bytes of no whole message */
  get unread(): Buffer {
    return Buffer.concat([...this.#fragments, this.#frames.rest]);
  }

  /** those of them that were not given out as frames */
  get unsent(): Buffer {
    return Buffer.concat([...this.#fragments.slice(this.#given), this.#frames.rest]);
  }

  *read(chunk: Buffer): Generator<ReadFrame, void> {
    for (const { opcode, isFinal, payload, bytes } of this.#frames.read(chunk)) {
      this.#fragments.push(bytes);
      if (opcode > 7) {
        const message = messageOf(opcode, payload);
        this.#fragments.pop();
        yield { message, bytes };
        continue;
      }
      if ((opcode === OPCODE.continuation) !== (this.#opcode !== null)) throw new Error("a fragment out of place");
      this.#opcode ??= opcode;
      this.#payloads.push(payload);
      const message = isFinal ? messageOf(this.#opcode, Buffer.concat(this.#payloads)) : null;
      if (isFinal) [this.#opcode, this.#payloads, this.#fragments] = [null, [], []];
      this.#given = this.#fragments.length;
      yield { message, bytes };
    }
  }
}
