/** The arguments of a call as the tool gets them; text that is no JSON as it is. */
export function parsedArguments(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}
