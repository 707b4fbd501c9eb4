import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

interface Message {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
}

export interface SqsServer {
  readonly url: string;
  /** bodies of messages that were sent to it over the wire */
  readonly sent: readonly string[];
  /** messages that were deleted, so far */
  readonly deleted: number;
  add(...bodies: string[]): void;
  stop(): Promise<void>;
}

/**
 * A queue that speaks the JSON protocol of SQS on the loopback, for as much of it as consumers use: SQS itself is a service of AWS
 * alone. A message that is received is hidden until it is deleted, or its visibility is set to 0.
 */
export async function startSqsServer(): Promise<SqsServer> {
  const waiting: Message[] = [];
  const hidden = new Map<string, Message>();
  const sent: string[] = [];
  let deleted = 0;
  const newMessage = (Body: string): Message => ({
    MessageId: randomUUID(),
    ReceiptHandle: randomUUID(),
    Body,
    MD5OfBody: createHash("md5").update(Body).digest("hex"),
  });
  const actions: Record<string, (asked: Record<string, unknown>) => unknown> = {
    async ReceiveMessage({ MaxNumberOfMessages = 1 }) {
      for (let n = 0; n < 10 && waiting.length === 0; n++) await sleep(10);
      const given = waiting.splice(0, Number(MaxNumberOfMessages));
      for (const message of given) hidden.set(message.ReceiptHandle, message);
      return given.length === 0 ? {} : { Messages: given };
    },
    DeleteMessage({ ReceiptHandle }) {
      if (hidden.delete(String(ReceiptHandle))) deleted++;
      return {};
    },
    DeleteMessageBatch({ Entries }) {
      for (const { ReceiptHandle } of Entries as { ReceiptHandle: string }[])
        if (hidden.delete(ReceiptHandle)) deleted++;
      return { Successful: (Entries as { Id: string }[]).map(({ Id }) => ({ Id })), Failed: [] };
    },
    ChangeMessageVisibility({ ReceiptHandle, VisibilityTimeout }) {
      const message = hidden.get(String(ReceiptHandle));
      if (message !== undefined && VisibilityTimeout === 0 && hidden.delete(message.ReceiptHandle))
        waiting.push(message);
      return {};
    },
    SendMessage({ MessageBody }) {
      sent.push(String(MessageBody));
      const { MessageId, MD5OfBody } = newMessage(String(MessageBody));
      return { MessageId, MD5OfMessageBody: MD5OfBody };
    },
  };
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const name = String(request.headers["x-amz-target"]).replace("AmazonSQS.", "");
    const action = actions[name];
    if (action === undefined) throw new Error(`no action ${name}`);
    return action(JSON.parse(await text(request)) as Record<string, unknown>);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.setHeader("content-type", "application/x-amz-json-1.0").end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    get deleted() {
      return deleted;
    },
    add: (...bodies) => void waiting.push(...bodies.map(newMessage)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
