import type { ExchangeDraft } from "../span/step-content.ts";
import type { TokenValues } from "./kept.ts";

/** Requests that are with the other thread: settled, never rejected, once it has answered. */
export const requestsAsked = new WeakMap<ExchangeDraft, Promise<unknown>>();

/** What stood in the place of tokens in requests that the other thread has read. */
export const sentValues = new WeakMap<ExchangeDraft, TokenValues>();
