// The errors that daybook throws on purpose. A Problem ends a request. A Refusal ends a command or the start of the
// server. Stopped ends a task of a thread.
//
// Invariant: everything in the message and the fields of a Problem is public. So they contain no internal text. Any
// other error is answered with the code `internal`, or with `unavailable` if the disk or a lock caused it. Only the log
// has its message.
//
// Example: `throw invalid({ name: coded('empty') })` gives status 422 and `{"error": {"code": "invalid_request", …,
// "fields": {"name": "…"}}}`. lib/http/answer.ts writes Problems, and cli/run.ts prints Refusals.

import type { Coded, Code as TextCode } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';

/** Ends a request. The client gets the message and the fields, so they must not contain internal text. */
export class Problem extends Error {
  readonly code: ErrorCode;
  /** The message as a code with values. From the code, the dashboard makes a sentence in the user's language. */
  readonly said: Coded;
  readonly fields: Fields | undefined;
  readonly headers: Record<string, string>;

  /** `cause` is only for the log of the operator, and is never sent. */
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

/** Ends a command, or the start of the server. A person reads the message, usually at the terminal. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The codes with which a request can fail, and their HTTP statuses. The sentences for these codes are in
 * src/lang/codes/errors.ts.
 */
const STATUSES = {
  bad_request: 400,
  unauthenticated: 401,
  account_blocked: 402,
  limit_reached: 402,
  read_only_demo: 403,
  read_only_token: 403,
  token_forbidden: 403,
  foreign_origin: 403,
  reauthentication_required: 403,
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
export type Fields = Record<string, Coded>;

type More = { message?: Coded; fields?: Fields; headers?: Record<string, string>; cause?: unknown };

const describeFields = (fields: Fields = {}): string[] =>
  Object.entries(fields).map(([field, fault]) => `${field}: ${inEnglish(fault)}`);

/** `fields` has a message for each wrong field of the request. */
export const invalid = (fields: Fields): Problem => new Problem('invalid_request', { fields });

/** Writes an error as the JSON body of an answer. The body has codes for programs, and English sentences for people. */
export function writeProblemBody({ code, message, said, fields }: Problem): string {
  const own = said.code === code ? {} : { message_code: said };
  if (!fields) return JSON.stringify({ error: { code, message, ...own } });
  const sentences = Object.entries(fields).map(([field, fault]) => [field, inEnglish(fault)]);
  return JSON.stringify({ error: { code, message, fields: Object.fromEntries(sentences), field_codes: fields } });
}

/** Ends a task because the thread that ran it has died. The caller may run the task again in another thread. */
export class ThreadDied extends Problem {
  constructor() {
    super('unavailable', { headers: { 'Retry-After': '1' }, cause: new Error('its thread died') });
  }
}

/** Ends a task in a worker thread without a result, for example because nobody waits for the answer any more. */
export class Stopped extends Error {}

/** The exit code for a mistake on the command line or in the configuration. */
export const USAGE = 2;

/**
 * The exit code if a file cannot be used as it is (EX_CONFIG of sysexits). A supervisor such as systemd should not
 * start the program again, because the program would fail again.
 */
export const UNUSABLE = 78;
