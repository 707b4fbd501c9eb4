import { asJson, asList } from "@reenact/wire";

/** A value that a JSON Schema allows; every text in it is `text`, every number 7. */
export function sampleOf(schema: unknown, text: string): unknown {
  const rule = asJson(schema);
  const choices = asList(rule["enum"]);
  if (choices.length > 0) return choices[0];
  if ("const" in rule) return rule["const"];
  const options = asList(rule["anyOf"] ?? rule["oneOf"]);
  if (options.length > 0) return sampleOf(options[0], text);
  switch (rule["type"]) {
    case "object": {
      const properties = Object.entries(asJson(rule["properties"]));
      return Object.fromEntries(properties.map(([key, inner]) => [key, sampleOf(inner, text)]));
    }
    case "array":
      return [sampleOf(rule["items"], text)];
    case "number":
    case "integer":
      return 7;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return text;
  }
}
