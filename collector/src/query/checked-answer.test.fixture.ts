import { expect } from "vitest";
import { apiError } from "./api-schema.ts";
import { API, type Route, ROUTES } from "./routes.ts";

/** Fails unless an answer is what the document says of its route. Answers of no route and bytes are passed over. */
export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  if (status >= 400) {
    expect(apiError.strict().safeParse(body).error?.issues, `${method} ${path} ${status}`).toBeUndefined();
    return;
  }
  const route = routeOf(method, path);
  const answer = route?.answer;
  if (answer === undefined) return;
  const parsed = answer.safeParse(body);
  expect(parsed.error?.issues, `${method} ${path}`).toBeUndefined();
  // what the schema does not name is not in the document
  expect(parsed.data, `${method} ${path}`).toEqual(body);
}

function routeOf(method: string, path: string): Route | undefined {
  const bare = path.split("?", 1)[0]!.replace(API, "");
  return Object.values<Route>(ROUTES).find(
    (route) =>
      route.method === method.toLowerCase() && new RegExp(`^${route.path.replaceAll(/:[a-z]+/g, "[^/]+")}$`).test(bare),
  );
}
