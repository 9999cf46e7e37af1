/** Every way a request can fail: its code, its HTTP status, and the sentence for whoever reads it. */
const CODES = {
  bad_request: [400, 'This is not a valid HTTP request.'],
  unauthenticated: [401, 'A valid access token is required: Authorization: Bearer <token>.'],
  account_blocked: [402, 'The account has no active plan, or used more events this month than its plan includes.'],
  limit_reached: [402, 'This would go past a limit of the plan.'],
  read_only_token: [403, 'This token may only read; a change needs a token with the ability write.'],
  token_forbidden: [403, 'This token does not have the ability that this request needs.'],
  foreign_origin: [403, 'A change by somebody who is signed in must come from a page of this server.'],
  proof_required: [403, 'This needs a fresh proof of who you are: your password or a code.'],
  role_forbidden: [403, 'Your role does not allow this.'],
  not_found: [404, 'There is nothing here, or it is not available to you.'],
  method_not_allowed: [405, 'This path does not take this method; the Allow header lists those it takes.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  payload_too_large: [413, 'The body is too large.'],
  invalid_request: [422, 'The request is not valid.'],
  crawler_tracking_off: [422, 'This site does not count AI crawlers; its setting track_crawlers is off.'],
  rate_limited: [429, 'Too many requests; the Retry-After header says in how many seconds to come back.'],
  headers_too_large: [431, 'The request line and headers are too large.'],
  internal: [500, 'Something went wrong on the server.'],
  unavailable: [503, 'The server cannot do this at the moment; try again shortly.'],
} as const satisfies Record<string, readonly [number, string]>;

const HEADERS: Partial<Record<Code, Record<string, string>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  unavailable: { 'Retry-After': '5' },
};

export type Code = keyof typeof CODES;
export type Fields = Record<string, string>;

/** The one error that is thrown on purpose. Its message and fields are public, so nothing internal goes in. */
export class Problem extends Error {
  readonly code: Code;
  readonly fields: Fields | undefined;
  readonly headers: Record<string, string>;

  /** `cause` is for whoever runs the program, and is never sent. */
  constructor(
    code: Code,
    more: { message?: string; fields?: Fields; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(more.message ?? CODES[code][1], { cause: more.cause });
    this.code = code;
    this.fields = more.fields;
    this.headers = { ...HEADERS[code], ...more.headers };
  }

  get status(): number {
    return CODES[this.code][0];
  }
}

/** A 422 that names each field and what would be right. */
export function invalid(fields: Fields): Problem {
  const named = Object.entries(fields).map(([field, sentence]) => `${field}: ${sentence}`);
  return new Problem('invalid_request', { message: `The request is not valid. ${named.join(' ')}`, fields });
}

/** The body of an error, the same for the API, for pages asked by programs and for what the HTTP parser refuses. */
export function problemBody({ code, message, fields }: Problem): string {
  return JSON.stringify({ error: fields ? { code, message, fields } : { code, message } });
}

/** A task of a thread ends without a result, and may be asked for again; what it has read until then stays. */
export class Stopped extends Error {}

/** The exit code for a wrong word on the command line or in the configuration. */
export const USAGE = 2;

/** The exit code for a file that cannot be used as it is; supervisors should not try again (sysexits' EX_CONFIG). */
export const UNUSABLE = 78;

/** Something is wrong with how the program was called; the message is for the person at the terminal. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
