import { openSegmentBytes } from "./drivers/local/segment-bytes.ts";
import type { JournalAddress, JournalBytes } from "./journal.ts";

/** Reads beside the journal itself, on any thread of its process. */
export const openJournalBytes = ({ folder }: JournalAddress): JournalBytes => openSegmentBytes(folder);
