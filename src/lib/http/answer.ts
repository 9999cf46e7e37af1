import { Problem, problemBody } from '../errors.ts';

export type Headers = Record<string, string>;

const PLAIN: Headers = { 'X-Content-Type-Options': 'nosniff' };

/** Any origin may read the API, but never with cookies; the listed headers are readable by scripts. */
const OPEN: Headers = {
  ...PLAIN,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Location, Allow, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};

// A plain object of headers and a text body is what @hono/node-server writes out without building a Response first.
const answer = (status: number, body: string, headers: Headers): Response =>
  new Response(body, { status, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } });

export const jsonAnswer = (status: number, value: unknown, headers: Headers = {}): Response =>
  answer(status, JSON.stringify(value), { ...OPEN, 'Content-Type': 'application/json', ...headers });

/** A body that all answers share: each client that does not read keeps its answer in memory (test/http/shared.test.ts). */
export type Bytes = Uint8Array<ArrayBuffer>;

/** JSON that is the same for everybody. */
export const sharedAnswer = (body: Bytes): Response =>
  new Response(body, {
    status: 200,
    headers: { ...OPEN, 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
  });

export const emptyAnswer = (headers: Headers = {}): Response =>
  new Response(null, { status: 204, headers: { ...OPEN, ...headers } });

/** The answer to every error, in the shape of the API. */
export const problemAnswer = (problem: Problem, headers: Headers = {}): Response =>
  answer(problem.status, problemBody(problem), {
    ...OPEN,
    'Content-Type': 'application/json',
    ...headers,
    ...problem.headers,
  });

/** SQLite could not write or read just now: the disk is full or failing, or another process holds the file too long. */
const STORAGE_ERROR = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|LOCKED|NOMEM)/;

const findCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether this machine's disk is the cause, not what was asked over the network. */
export const isStorageError = (error: unknown): boolean => STORAGE_ERROR.test(findCode(error));

/** What an answer says of an error: the message of a Problem, and a fixed sentence for everything else. */
export function findProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(isStorageError(error) ? 'unavailable' : 'internal');
}

/** Without it browsers do not send the origin with our own forms, and over plain http no other header has it. */
export const OWN_REFERRER: Headers = { 'Referrer-Policy': 'same-origin' };

/** The headers of every page that people see. */
const PAGE: Headers = {
  ...PLAIN,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** A page that loads nothing, and runs a script of this server only where it says so; styleHash allows its one style block. */
export const pageAnswer = (
  status: number,
  html: string,
  styleHash: string,
  headers: Headers,
  hasScript = false,
): Response =>
  answer(status, html, {
    ...PAGE,
    'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}';${hasScript ? " script-src 'self';" : ''} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    ...headers,
  });

/**
 * The page of the dashboard. It runs the scripts of this server and nothing else, and no text can become a script; only the
 * named origins may show it in a frame.
 */
export const dashboardAnswer = (html: string, framedBy: readonly string[]): Response =>
  answer(200, html, {
    ...PAGE,
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${framedBy.join(' ') || "'none'"}; require-trusted-types-for 'script'; trusted-types 'none'`,
    ...OWN_REFERRER,
  });

export const redirect = (path: string, headers: Headers = {}): Response =>
  answer(303, '', { ...PLAIN, 'Cache-Control': 'no-store', Location: path, ...headers });

/** Whether an Accept-Encoding header names an encoding, and not with a weight of nothing. */
export const isAccepted = (name: string, header: string): boolean =>
  header.split(',').some((part) => {
    const [encoding, ...weights] = part.split(';').map((word) => word.trim().toLowerCase());
    return encoding === name && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
  });

/** A file whose name changes with what is in it. */
export const assetAnswer = (bytes: Bytes, type: string, encoding: string | undefined): Response =>
  new Response(bytes, {
    status: 200,
    headers: {
      ...PLAIN,
      'Content-Type': type,
      'Content-Length': String(bytes.length),
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    },
  });

/** A file that pages of any origin may show or read. */
export const publicAnswer = (body: string, type: string, headers: Headers): Response =>
  answer(200, body, {
    ...PLAIN,
    'Content-Type': type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...headers,
  });
