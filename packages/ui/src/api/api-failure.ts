/** An answer of the API that is none, or no answer: `code` is that of the API, or `UNREACHABLE`. */
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
    return new ApiFailure("UNREACHABLE", `the server answered with status ${response.status}`, { cause });
  }
}
