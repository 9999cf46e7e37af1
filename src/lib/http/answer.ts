// One function for each kind of answer, with the security headers of its kind.
//
// Invariant: each answer says how it may be cached, and each page says who may frame it. An error never contains
// internal text. Pages of any website may read the API, but without cookies. daybook's own pages run no script of
// another server.
//
// Example: answerJson(200, { data: 3 }) has the headers `Cache-Control: private, no-store` and
// `Access-Control-Allow-Origin: *`. src/api, src/forms and most other folders with routes call these functions.

import { Problem, writeProblemBody } from '../errors.ts';

export type Headers = Record<string, string>;

const PLAIN: Headers = { 'X-Content-Type-Options': 'nosniff' };

/**
 * Headers of answers of the API. Pages of any origin may read these answers, but cannot send cookies. Scripts of these
 * pages may read the headers that `Access-Control-Expose-Headers` lists.
 */
const OPEN: Headers = {
  ...PLAIN,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Disposition, Location, Allow, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};

/**
 * The headers of a stream of events. Each event must arrive immediately. So nginx must not buffer the stream, and no
 * proxy may compress it. The connection ends with the stream. Streams end so rarely that reusing the connection would
 * gain nothing.
 */
export const STREAM_HEADERS: Headers = {
  ...OPEN,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

// Here the body of a Response is a text, and the headers are a plain object. So @hono/node-server skips the slow parts
// of the Response.
const answer = (status: number, body: string, headers: Headers): Response =>
  new Response(body, { status, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } });

export const answerJson = (status: number, value: unknown, headers: Headers = {}): Response =>
  answer(status, JSON.stringify(value), { ...OPEN, 'Content-Type': 'application/json', ...headers });

/**
 * A body that many answers share, such as the API document. All answers use the same bytes. Otherwise each client that
 * reads slowly would hold a copy in memory (test/http/shared.test.ts).
 */
export type Bytes = Uint8Array<ArrayBuffer>;

export const answerShared = (body: Bytes): Response =>
  new Response(body, {
    status: 200,
    headers: { ...OPEN, 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
  });

/**
 * Answers with data that is JSON already. Parsing and writing 4 MB of JSON again would keep the server from accepting
 * hits.
 */
export function answerWritten(data: Uint8Array, headers: Headers = {}): Response {
  const body = Buffer.concat([Buffer.from('{"data":'), data, Buffer.from('}')]);
  return new Response(body, {
    status: 200,
    headers: { ...OPEN, 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers },
  });
}

/** Makes the answer with a file that a browser saves. An answer to a HEAD request has no body. */
export const answerDownload = (
  name: string,
  type: string,
  body: ReadableStream<Uint8Array> | null,
  headers: Headers = {},
): Response =>
  new Response(body, {
    status: 200,
    headers: {
      ...OPEN,
      'Content-Type': type,
      // In a header, a quote would end the name, and letters such as ü are not allowed.
      'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`,
      ...headers,
    },
  });

export const answerEmpty = (headers: Headers = {}): Response =>
  new Response(null, { status: 204, headers: { ...OPEN, ...headers } });

export const answerProblem = (problem: Problem, headers: Headers = {}): Response =>
  answer(problem.status, writeProblemBody(problem), {
    ...OPEN,
    'Content-Type': 'application/json',
    ...headers,
    ...problem.headers,
  });

/** Error codes of SQLite when it cannot read or write now. For example, the disk is full, or the file is locked. */
const STORAGE_ERROR = /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|LOCKED|NOMEM)/;

const findCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** True if SQLite cannot read or write now, for example because the disk is full. The client should try again later. */
export const isStorageError = (error: unknown): boolean => STORAGE_ERROR.test(findCode(error));

/**
 * Finds the error that a client may see. The message of a Problem is public. Any other error has an internal message,
 * so it becomes a Problem with the code `unavailable` or `internal`.
 */
export function findProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(isStorageError(error) ? 'unavailable' : 'internal');
}

/**
 * With this header, a browser names the origin of the page when it sends a form of this server. With `no-referrer`, the
 * usual value of `answerPage`, the browser would send the origin `null`. Over plain http, the server could then not
 * tell its own forms from forms of another website.
 */
export const OWN_REFERRER: Headers = { 'Referrer-Policy': 'same-origin' };

const PAGE: Headers = {
  ...PLAIN,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Makes a page without scripts, or with `hasScript` a page with scripts of this server. `styleHash` is the hash of the
 * page's style element. The browser uses no other styles.
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

/** Makes a page without scripts and forms, which only the origins in `framedBy` may show in a frame. */
export const answerWidget = (
  html: string,
  styleHash: string,
  framedBy: readonly string[],
  headers: Headers,
): Response =>
  answer(200, html, {
    ...PAGE,
    'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}'; form-action 'none'; base-uri 'none'; frame-ancestors ${framedBy.join(' ') || "'none'"}`,
    'Referrer-Policy': 'no-referrer',
    ...headers,
  });

/**
 * Makes the answer with the dashboard. The browser runs only scripts of this server, and never turns a text into a
 * script. Only the origins in `framedBy` may show the page in a frame.
 */
export const answerDashboard = (html: string, framedBy: readonly string[]): Response =>
  answer(200, html, {
    ...PAGE,
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${framedBy.join(' ') || "'none'"}; require-trusted-types-for 'script'; trusted-types 'none'`,
    ...OWN_REFERRER,
  });

export const redirect = (path: string, headers: Headers = {}): Response =>
  answer(303, '', { ...PLAIN, 'Cache-Control': 'no-store', Location: path, ...headers });

/** True if a header such as Accept-Encoding or Accept names a value. The weight in `gzip;q=0` forbids gzip. */
export const isAccepted = (name: string, header: string): boolean =>
  header.split(',').some((part) => {
    const [value, ...weights] = part.split(';').map((word) => word.trim().toLowerCase());
    return value === name && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
  });

/**
 * Makes the answer with a file of the dashboard. The name of the file has a hash of its content. So a browser may keep
 * the file for a year.
 */
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

/** Makes the answer with a small file that has no hash in its name, such as an icon. Browsers ask again after a day. */
export const answerSmall = (bytes: Bytes, type: string, headers: Headers = {}): Response =>
  new Response(bytes, {
    status: 200,
    headers: {
      ...PLAIN,
      'Content-Type': type,
      'Content-Length': String(bytes.length),
      'Cache-Control': 'public, max-age=86400',
      ...headers,
    },
  });

/**
 * Makes the answer with a page that contains its own script and style. `policy` allows only this script and this style.
 */
export const answerStandalone = (
  bytes: Bytes,
  encoding: string | undefined,
  { policy, etag }: { policy: string; etag: string },
): Response =>
  new Response(bytes, {
    status: 200,
    headers: {
      ...PAGE,
      'Content-Length': String(bytes.length),
      'Cache-Control': 'no-cache',
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    },
  });

/** Makes the answer for a file that pages of any origin may show or read, such as a badge. */
export const answerPublic = (body: string, type: string, headers: Headers): Response =>
  answer(200, body, {
    ...PLAIN,
    'Content-Type': type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...headers,
  });
