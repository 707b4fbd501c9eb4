import { z } from "zod";
import { API_ERRORS } from "./api-error.ts";
import { apiError } from "./api-schema.ts";
import { API, type Route, ROUTES } from "./routes.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the read API. */
export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries<Route>(ROUTES)) {
    const path = API + route.path.replaceAll(/:([a-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: { operationId, ...operation(route) } };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Reenact collector", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: {
      schemas: { Error: schemaOf(apiError, "output") },
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "an API key, where keys are set" } },
    },
  };
}

function operation(route: Route): Json {
  return {
    summary: route.summary,
    ...(route.scope !== null && { security: [{ key: [route.scope] }, {}] }),
    parameters: [
      ...(route.path.includes(":run")
        ? [{ name: "run", in: "path", required: true, schema: { type: "string", pattern: "^[0-9a-f]{4,32}$" } }]
        : []),
      ...queryParameters(route),
    ],
    ...(route.body && {
      requestBody: { content: { "application/json": { schema: schemaOf(route.body, "input") } } },
    }),
    responses: { "200": answerOf(route), ...failures() },
  };
}

function queryParameters(route: Route): Json[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = schemaOf(route.query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function answerOf(route: Route): Json {
  const types = route.types ?? ["application/json"];
  const schema = route.answer ? schemaOf(route.answer, "output") : {};
  return { description: route.summary, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function failures(): Json {
  const byStatus = Map.groupBy(Object.entries(API_ERRORS), ([, { status }]) => status);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: codes.map(([code, { next }]) => `${code}: ${next}`).join("; "), content },
    ]),
  );
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Json;
  return rest;
}
