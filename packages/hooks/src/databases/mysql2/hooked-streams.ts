/** The streams of connections that are recorded or replayed. */
export const hookedStreams = new WeakSet<object>();
