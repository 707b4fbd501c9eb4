/** A file that holds the object: what is too large for memory is written from there, and read again for a retry. */
export interface FileBody {
  readonly path: string;
  readonly length: number;
}

/** Bytes in memory, or a file. A file must not change before the call has settled. */
export type ObjectBody = Uint8Array | FileBody;

export interface ObjectHead {
  readonly key: string;
  /** bytes */
  readonly size: number;
  /** milliseconds since the epoch, by the store's clock */
  readonly modified: number;
}

/**
 * `created`: this call wrote it. `same`: an object of this key with equal bytes was there, or a write of ours whose
 * answer was lost. `different`: the key holds other bytes, which stay.
 */
export type PutOutcome = "created" | "same" | "different";

/**
 * A flat space of immutable-by-habit objects. Keys: 1 to 512 characters, segments of `[A-Za-z0-9._=-]` joined by `/`,
 * none of them `.` or `..`; no key is another one with `/…` behind it. Everything that was answered is durable, and seen by the very next read of any client.
 * Every method throws `StoreError` and nothing else.
 */
export interface ObjectStore {
  /** Writes or replaces, whole or not at all. */
  put(key: string, body: ObjectBody): Promise<void>;
  /** Writes unless the key is taken; of any number of racing writers exactly one gets `created`. */
  putIfAbsent(key: string, body: ObjectBody): Promise<PutOutcome>;
  /**
   * `length` bytes from `offset`; a negative offset counts from the end. Fewer bytes only where the object ends;
   * `NO_OBJECT`, or `BAD_RANGE` where the range begins past the end.
   */
  getRange(key: string, offset: number, length: number): Promise<Uint8Array>;
  /** null: there is no such object. */
  head(key: string): Promise<ObjectHead | null>;
  /** All objects whose key begins with `prefix`, in order of their keys (UTF-8 bytes); `after` skips keys up to it. */
  list(prefix: string, after?: string): AsyncIterable<ObjectHead>;
  /** Deleting what is not there is no error. In a versioned bucket the versions are left to its lifecycle rules. */
  delete(key: string): Promise<void>;
}

/** The part of it that reading needs. */
export type ReadStore = Pick<ObjectStore, "getRange" | "list">;
