import { Problem, problemBody } from './errors.ts';

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

export const emptyAnswer = (headers: Headers = {}): Response =>
  new Response(null, { status: 204, headers: { ...OPEN, ...headers } });

/** Every error leaves by this one door, in the shape of the API. */
export const problemAnswer = (problem: Problem, headers: Headers = {}): Response =>
  answer(problem.status, problemBody(problem), {
    ...OPEN,
    'Content-Type': 'application/json',
    ...headers,
    ...problem.headers,
  });

/** SQLite could not write or read just now: the disk is full or failing, or another process holds the file too long. */
const STORAGE_TROUBLE = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|LOCKED|NOMEM)/;

/** What the world may know of any error: its own words for a Problem, a fixed sentence for everything else. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new Problem(STORAGE_TROUBLE.test(code) ? 'unavailable' : 'internal');
}

/** A page for people. It runs no script and loads nothing; styleHash allows the one style block it carries. */
export const pageAnswer = (status: number, html: string, styleHash: string, headers: Headers): Response =>
  answer(status, html, {
    ...PLAIN,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...headers,
  });
