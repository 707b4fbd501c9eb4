import type { Dialect } from "@reenact/capture";
import { recognise } from "./recognise.ts";

/** The wire format of Anthropic's Messages API, wherever it is spoken over plain HTTP. */
export const anthropic: Dialect = { name: "anthropic", recognise };
