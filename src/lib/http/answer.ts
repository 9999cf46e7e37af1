// Answers: one function for each kind of answer, with its security headers. Routes, pages and the HTTP reader all use
// these.
//
// Invariant: each answer says how it may be cached and framed, and an error never has internal text. Any origin may
// read the API, but without cookies; pages run no foreign script.
//
// Example: jsonAnswer(200, { data: 3 }) has `Cache-Control: private, no-store` and `Access-Control-Allow-Origin: *`.
// src/api, src/forms, src/collect and src/http call these functions.

import { Problem, writeProblemBody } from '../errors.ts';

export type Headers = Record<string, string>;

const PLAIN: Headers = { 'X-Content-Type-Options': 'nosniff' };

/** Headers of the API. Any origin may read it, but never with cookies. The listed headers are readable by scripts. */
const OPEN: Headers = {
  ...PLAIN,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Location, Allow, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};

// @hono/node-server writes a text body with plain headers without building a Response first.
const answer = (status: number, body: string, headers: Headers): Response =>
  new Response(body, { status, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } });

export const answerJson = (status: number, value: unknown, headers: Headers = {}): Response =>
  answer(status, JSON.stringify(value), { ...OPEN, 'Content-Type': 'application/json', ...headers });

/**
 * A body that many answers share. A copy for each client that does not read would fill the memory
 * (test/http/shared.test.ts).
 */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Makes an answer of JSON that all clients share. */
export const answerShared = (body: Bytes): Response =>
  new Response(body, {
    status: 200,
    headers: { ...OPEN, 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
  });

export const answerEmpty = (headers: Headers = {}): Response =>
  new Response(null, { status: 204, headers: { ...OPEN, ...headers } });

/** Makes the answer to an error, in the shape of the API. */
export const answerProblem = (problem: Problem, headers: Headers = {}): Response =>
  answer(problem.status, writeProblemBody(problem), {
    ...OPEN,
    'Content-Type': 'application/json',
    ...headers,
    ...problem.headers,
  });

/** SQLite cannot read or write now: the disk is full or fails, or another process has a lock for too long. */
const STORAGE_ERROR = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|LOCKED|NOMEM)/;

const findCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Tells whether an error comes from this machine's disk, not from a request over the network. */
export const isStorageError = (error: unknown): boolean => STORAGE_ERROR.test(findCode(error));

/** Finds what to answer to an error: a Problem itself, or a fixed code for any other error. */
export function findProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(isStorageError(error) ? 'unavailable' : 'internal');
}

/** Makes browsers send the origin with forms of this server. Over plain http no other header has the origin. */
export const OWN_REFERRER: Headers = { 'Referrer-Policy': 'same-origin' };

/** Headers of every page that people see. */
const PAGE: Headers = {
  ...PLAIN,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Makes a page without scripts, or with scripts of this server if `hasScript`. `styleHash` allows its one block of
 * style.
 */
export const answerPage = (
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
 * Makes the page of the dashboard. It runs only scripts of this server, and no text can become a script. Only the named
 * origins may frame it.
 */
export const answerDashboard = (html: string, framedBy: readonly string[]): Response =>
  answer(200, html, {
    ...PAGE,
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${framedBy.join(' ') || "'none'"}; require-trusted-types-for 'script'; trusted-types 'none'`,
    ...OWN_REFERRER,
  });

export const redirect = (path: string, headers: Headers = {}): Response =>
  answer(303, '', { ...PLAIN, 'Cache-Control': 'no-store', Location: path, ...headers });

/** Tells whether an Accept-Encoding header names an encoding with a weight above 0. */
export const isAccepted = (name: string, header: string): boolean =>
  header.split(',').some((part) => {
    const [encoding, ...weights] = part.split(';').map((word) => word.trim().toLowerCase());
    return encoding === name && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
  });

/** Makes the answer of a file whose name has a hash of its content, so it may be cached for ever. */
export const answerFile = (bytes: Bytes, type: string, encoding: string | undefined): Response =>
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

/** Makes the answer of a file that pages of any origin may show or read. */
export const answerPublic = (body: string, type: string, headers: Headers): Response =>
  answer(200, body, {
    ...PLAIN,
    'Content-Type': type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...headers,
  });
