import type { Coded, Code as TextCode } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';

/** Every way a request can fail: its code with its HTTP status. What each says stands in src/lang/codes/errors.ts. */
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

const HEADERS: Partial<Record<Code, Record<string, string>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  unavailable: { 'Retry-After': '5' },
};

export type Code = keyof typeof STATUSES;
/** What is wrong with each field. */
export type Fields = Record<string, Coded>;

type More = { message?: Coded; fields?: Fields; headers?: Record<string, string>; cause?: unknown };

/** The one error that is thrown on purpose. What it says and its fields are public, so nothing internal goes in. */
export class Problem extends Error {
  readonly code: Code;
  /** What it says, where that is more than its code does. */
  readonly said: Coded;
  readonly fields: Fields | undefined;
  readonly headers: Record<string, string>;

  /** `cause` is for the operator's log, and is never sent. */
  constructor(code: Code, { message = { code, values: {} }, fields, headers, cause }: More = {}) {
    super([inEnglish(message), ...namedIn(fields)].join(' '), { cause });
    this.code = code;
    this.said = message;
    this.fields = fields;
    this.headers = { ...HEADERS[code], ...headers };
  }

  get status(): number {
    return STATUSES[this.code];
  }
}

const namedIn = (fields: Fields = {}): string[] =>
  Object.entries(fields).map(([field, fault]) => `${field}: ${inEnglish(fault)}`);

/** A 422 that names each field and what would be right. */
export const invalid = (fields: Fields): Problem => new Problem('invalid_request', { fields });

/** The body of an error, the same for the API, for pages asked by programs and for what the HTTP parser refuses. */
export function problemBody({ code, message, said, fields }: Problem): string {
  const own = said.code === code ? {} : { message_code: said };
  if (!fields) return JSON.stringify({ error: { code, message, ...own } });
  const sentences = Object.entries(fields).map(([field, fault]) => [field, inEnglish(fault)]);
  return JSON.stringify({ error: { code, message, fields: Object.fromEntries(sentences), field_codes: fields } });
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
