import type { Context } from "hono";
import type { z } from "zod";
import type { Caller } from "./api-deps.ts";
import { ApiError } from "./api-error.ts";

/** The context of a request, with its caller. */
export type Ask = Context<{ Variables: Caller }>;
export type Handler = (ask: Ask) => Promise<Response> | Response;

export function refusal(ask: Context, error: ApiError): Response {
  const headers = {
    ...(error.status === 401 && { "www-authenticate": "Bearer" }),
    ...(error.status === 503 && { "retry-after": "5" }),
  };
  return ask.json(error.body, error.status as 400, headers);
}

/** Throws `BAD_REQUEST`. */
export function queryOf<T extends z.ZodType>(ask: Ask, schema: T): z.infer<T> {
  return checked(schema, ask.req.query());
}

/** Throws `BAD_REQUEST`. */
export async function bodyOf<T extends z.ZodType>(ask: Ask, schema: T): Promise<z.infer<T>> {
  if (!/^application\/json\b/.test(ask.req.header("content-type") ?? ""))
    throw new ApiError("BAD_REQUEST", "the body must be application/json");
  const text = await ask.req.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", "the body is no JSON", { cause });
  }
  return checked(schema, value);
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new ApiError("BAD_REQUEST", `${where}${issue.message}`, { cause: parsed.error });
}
