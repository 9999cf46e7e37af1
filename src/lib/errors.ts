// The errors that daybook throws on purpose. A Problem ends a request, a Refusal ends a command or a start, and Stopped
// ends a task of a thread.
//
// Invariant: all that a Problem says and its fields is public, so no internal text goes in. Any other error is answered
// as `internal`, and only the log has its message.
//
// Example: `throw invalid({ name: coded('empty') })` is answered with 422 and `{"error": {"code": "invalid_request", …,
// "fields": {"name": "…"}}}`. lib/http/answer.ts writes Problems, and cli/run.ts prints Refusals.

import type { Coded, Code as TextCode } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';

/** Ends a request with a code. Its message and fields are public, so nothing internal goes in. */
export class Problem extends Error {
  readonly code: ErrorCode;
  /** The code and values of the message. */
  readonly said: Coded;
  readonly fields: Fields | undefined;
  readonly headers: Record<string, string>;

  /** Makes a Problem. `cause` is for the operator's log and is never sent. */
  constructor(code: ErrorCode, { message = { code, values: {} }, fields, headers, cause }: More = {}) {
    super([inEnglish(message), ...describeFields(fields)].join(' '), { cause });
    this.code = code;
    this.said = message;
    this.fields = fields;
    this.headers = { ...HEADERS[code], ...headers };
  }

  get status(): number {
    return STATUSES[this.code];
  }
}

/** Ends a command or a start. Its message is for the person at the terminal. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The codes with which a request can fail, and their HTTP statuses. Their sentences are in src/lang/codes/errors.ts.
 */
const STATUSES = {
  bad_request: 400,
  unauthenticated: 401,
  account_blocked: 402,
  limit_reached: 402,
  read_only_token: 403,
  token_forbidden: 403,
  foreign_origin: 403,
  proof_required: 403,
  role_forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  payload_too_large: 413,
  invalid_request: 422,
  crawler_tracking_off: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Partial<Record<TextCode, number>>;

const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  unavailable: { 'Retry-After': '5' },
};

export type ErrorCode = keyof typeof STATUSES;
/** The fault of each field. */
export type Fields = Record<string, Coded>;

type More = { message?: Coded; fields?: Fields; headers?: Record<string, string>; cause?: unknown };

const describeFields = (fields: Fields = {}): string[] =>
  Object.entries(fields).map(([field, fault]) => `${field}: ${inEnglish(fault)}`);

/** Makes a 422 that names each field and its fault. */
export const invalid = (fields: Fields): Problem => new Problem('invalid_request', { fields });

/** Writes the body of an error. The API, pages for programs and refusals of the HTTP parser all have this body. */
export function writeProblemBody({ code, message, said, fields }: Problem): string {
  const own = said.code === code ? {} : { message_code: said };
  if (!fields) return JSON.stringify({ error: { code, message, ...own } });
  const sentences = Object.entries(fields).map(([field, fault]) => [field, inEnglish(fault)]);
  return JSON.stringify({ error: { code, message, fields: Object.fromEntries(sentences), field_codes: fields } });
}

/** Ends a task of a thread without a result. The caller may ask again; what the task has cached stays. */
export class Stopped extends Error {}

/** The exit code for a mistake on the command line or in the configuration. */
export const USAGE = 2;

/**
 * The exit code for a file that cannot be used as it is. Supervisors should not start the program again (EX_CONFIG of
 * sysexits).
 */
export const UNUSABLE = 78;
