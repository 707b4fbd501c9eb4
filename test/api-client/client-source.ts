import { join } from "node:path";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}
/** What is read of the OpenAPI document. */
export interface ApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

export const ROOT = join(import.meta.dirname, "../..");
/** The files that are generated, from the root of the repository. */
export const CLIENTS = ["packages/cli/src/remote/api-operations.ts", "packages/ui/src/api/api-operations.ts"];

/** Lines are long: nobody reads them but the compiler. TypeScript that names every operation of the API, what it takes and what it answers. */
export function clientSource({ paths, components }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const types = operations.map(({ operation }) => operationType(operation));
  const named = Object.entries(components.schemas).map(([name, schema]) => ({ name, type: typeOf(schema) }));
  const isUsed = (name: string) =>
    [...types, ...named.filter((each) => each.name !== name).map(({ type }) => type)].some((type) =>
      new RegExp(`\\b${name}\\b`).test(type),
    );
  return [
    "// Generated from the collector's OpenAPI document by `npm run api-client`; edit the schemas there.",
    ...named.filter(({ name }) => isUsed(name)).map(({ name, type }) => `type ${name} = ${type};`),
    "/** What each operation of the API takes and answers; `answer` never: it is no JSON. */",
    `export interface Operations {\n${types.join("\n")}\n}`,
    "export const OPERATIONS = {",
    ...operations.map(
      ({ operation, method, path }) =>
        `  ${operation.operationId}: { method: ${JSON.stringify(method.toUpperCase())}, path: ${JSON.stringify(path)} },`,
    ),
    "} as const satisfies Record<keyof Operations, { method: string; path: string }>;",
    "",
  ].join("\n");
}

function operationType({ operationId, summary, parameters, requestBody, responses }: Operation): string {
  const given = (where: string) => {
    const those = parameters.filter((each) => each.in === where);
    const members = those.map(({ name, required, schema }) =>
      required ? `${key(name)}: ${typeOf(schema)}` : `${key(name)}?: ${typeOf(schema)} | undefined`,
    );
    return members.length === 0 ? "Readonly<Record<string, never>>" : `{ ${members.join("; ")} }`;
  };
  const body = requestBody?.content["application/json"]?.schema;
  const answer = responses["200"]?.content["application/json"]?.schema;
  const isJson = answer !== undefined && Object.keys(answer).length > 0;
  const facts = [
    `path: ${given("path")}`,
    `query: ${given("query")}`,
    `body: ${body ? typeOf(body) : "undefined"}`,
    `answer: ${isJson ? typeOf(answer) : "never"}`,
  ];
  return `  /** ${summary} */\n  ${operationId}: { ${facts.join("; ")} };`;
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Throws for a schema that it does not know: a type that is too wide would hide what changes. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((each) => `(${typeOf(each)})`).join(" | ");
  if (typeof schema.type === "object") return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      if (schema.prefixItems) return `readonly [${schema.prefixItems.map(typeOf).join(", ")}]`;
      return `readonly (${typeOf(schema.items!)})[]`;
    case "object":
      return objectType(schema);
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Readonly<Record<string, ${values}>>`;
  }
  const members = Object.entries(properties).map(
    ([name, each]) => `readonly ${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(each)}`,
  );
  return `{ ${members.join("; ")} }`;
}
