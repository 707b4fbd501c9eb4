/** An answer of the API that is none, or no answer: `code` is that of the API, `UNREACHABLE` or `NO_COLLECTOR`. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly code: string;
  /** what to do, in the words of the API */
  readonly next: string;
  /** character of the filter at which it is wrong, from 0 */
  readonly at: number | null;

  constructor(
    code: string,
    message: string,
    options: { next?: string; at?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.next = options.next ?? "";
    this.at = options.at ?? null;
  }
}

/** Reads an error answer; what is no JSON of ours comes from something between here and the collector. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  try {
    const { error } = (await response.json()) as {
      error: { code: string; message: string; next: string; at?: number };
    };
    return new ApiFailure(error.code, error.message, error);
  } catch (cause) {
    // a proxy whose collector is away says so by one of these
    if (response.status >= 500)
      return new ApiFailure("UNREACHABLE", `the server answered with status ${response.status}`, { cause });
    return noCollector(response, cause);
  }
}

/** The answer of another server, or of a proxy that sends the API elsewhere. */
export function noCollector({ status, headers }: Response, cause: unknown): ApiFailure {
  const type = headers.get("content-type")?.split(";")[0] ?? "no type";
  return new ApiFailure("NO_COLLECTOR", `the API answered with status ${status} and ${type}, not with JSON`, { cause });
}
