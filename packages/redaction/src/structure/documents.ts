/** A stretch of one document: `length` units that stand at `source` in the whole text. */
export interface Segment {
  readonly source: number;
  readonly length: number;
}

/** The data of one event, or one line of a line-delimited stream. */
export interface Document {
  readonly text: string;
  /** where `text` comes from; between two segments it has one line feed that belongs to neither */
  readonly segments: readonly Segment[];
  /** name of the event; documents of other names are other streams */
  readonly event: string;
}

export interface Documents {
  readonly documents: readonly Document[];
  /** what stands around them (comments, ids, names of events), to be read as plain text */
  readonly rest: readonly Segment[];
}

/** Events of a `text/event-stream`, by the rules of the HTML standard for line ends, fields and the first space. */
export function eventDocuments(text: string): Documents {
  const documents: Document[] = [];
  const rest: Segment[] = [];
  let segments: Segment[] = [];
  let event = "";
  const dispatch = (): void => {
    if (segments.length > 0) {
      const data = segments.map((s) => text.slice(s.source, s.source + s.length)).join("\n");
      documents.push({ text: data, segments, event });
    }
    segments = [];
    event = "";
  };
  for (const { source, length } of lines(text)) {
    if (length === 0) dispatch();
    else if (text.startsWith("data:", source)) {
      const skip = text.charCodeAt(source + 5) === 32 && length > 5 ? 6 : 5;
      segments.push({ source: source + skip, length: length - skip });
    } else {
      if (text.startsWith("event:", source)) event = text.slice(source + 6, source + length).trim();
      rest.push({ source, length });
    }
  }
  dispatch();
  return { documents, rest };
}

/** Lines of a line-delimited JSON stream. */
export function lineDocuments(text: string): Documents {
  const documents: Document[] = [];
  for (const segment of lines(text)) {
    // a line of a JSON text sequence begins with a record separator
    const skip = text.charCodeAt(segment.source) === 30 && segment.length > 0 ? 1 : 0;
    const own = { source: segment.source + skip, length: segment.length - skip };
    const line = text.slice(own.source, own.source + own.length);
    if (line.trim() !== "") documents.push({ text: line, segments: [own], event: "" });
  }
  return { documents, rest: [] };
}

const MARKED = /^([0-9a-z]{1,8}):(?=["[{])/;
const LOOKED_AT = 4;

/** Whether the first lines each have a mark and JSON behind it: `0:"text"`, `9:{"toolCallId":…}`. */
export function isMarkedLines(text: string): boolean {
  if (!MARKED.test(text)) return false;
  let seen = 0;
  for (const { source, length } of lines(text)) {
    if (length === 0) continue;
    if (!MARKED.test(text.slice(source, source + 16)) || !/["\]}]\s*$/.test(text.slice(source, source + length)))
      return false;
    if (++seen === LOOKED_AT) break;
  }
  return true;
}

/** Lines of JSON behind a mark: lines of one mark are one stream. */
export function markedDocuments(text: string): Documents {
  const documents: Document[] = [];
  const rest: Segment[] = [];
  for (const segment of lines(text)) {
    const { source, length } = segment;
    const mark = MARKED.exec(text.slice(source, source + 16))?.[1];
    if (mark === undefined) {
      if (length > 0) rest.push(segment);
      continue;
    }
    const own = { source: source + mark.length + 1, length: length - mark.length - 1 };
    documents.push({ text: text.slice(own.source, own.source + own.length), segments: [own], event: mark });
  }
  return { documents, rest };
}

function* lines(text: string): Generator<Segment> {
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let carriage = text.indexOf("\r", from);
  while (from < text.length) {
    let feed = text.indexOf("\n", from);
    if (feed === -1) feed = text.length;
    if (carriage !== -1 && carriage < from) carriage = text.indexOf("\r", from);
    const end = carriage !== -1 && carriage < feed ? carriage : feed;
    yield { source: from, length: end - from };
    from = end + (end === carriage && text.charCodeAt(end + 1) === 10 ? 2 : 1);
  }
}
