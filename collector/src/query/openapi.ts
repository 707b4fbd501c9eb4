import { z } from "zod";
import { API_ERRORS } from "./api-error.ts";
import { apiError } from "./api-schema.ts";
import { API, PATH_PARAMETERS, type Route, ROUTES } from "./routes.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the read API. */
export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = {};
  const error = schemaOf(apiError, "output", schemas);
  schemas["Error"] ??= error;
  for (const [operationId, route] of Object.entries<Route>(ROUTES)) {
    const path = API + route.path.replaceAll(/:([a-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: { operationId, ...operation(route, schemas) } };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Reenact collector", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: {
      schemas,
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "an API key, where keys are set" } },
    },
  };
}

function operation(route: Route, schemas: Record<string, Json>): Json {
  return {
    summary: route.summary,
    ...(route.scope !== null && { security: [{ key: route.scope === "any" ? [] : [route.scope] }, {}] }),
    parameters: [
      ...[...route.path.matchAll(/:([a-z]+)/g)].map(([, name]) => {
        const { pattern, description } = PATH_PARAMETERS[name!]!;
        return { name, in: "path", required: true, description, schema: { type: "string", pattern } };
      }),
      ...queryParameters(route, schemas),
      ...(route.ranges ? [{ name: "range", in: "header", schema: { type: "string" }, example: "bytes=0-1023" }] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaOf(route.body, "input", schemas) } },
      },
    }),
    responses: {
      "200": answerOf(route, schemas),
      ...(route.ranges && { "206": { ...answerOf(route, schemas), description: "the range that was asked for" } }),
      ...failures(),
    },
  };
}

function queryParameters(route: Route, schemas: Record<string, Json>): Json[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = schemaOf(route.query, "input", schemas) as {
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

function answerOf(route: Route, schemas: Record<string, Json>): Json {
  const types = route.types ?? ["application/json"];
  const schema = route.answer ? schemaOf(route.answer, "output", schemas) : {};
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

/** Named schemas are added to `schemas` and referenced from there. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const made = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }));
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = JSON.parse(made.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  Object.assign(schemas, $defs);
  return rest;
}
