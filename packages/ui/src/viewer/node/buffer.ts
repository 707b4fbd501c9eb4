import { Buffer } from "buffer";

// the packages that read files use Node's global; this module comes before them
Object.assign(globalThis, { Buffer });
