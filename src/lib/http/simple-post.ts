// The reader of plain messages: POSTs to one path in which nothing could be read in two ways. Everything else is left
// to node's parser.
//
// Invariant: node would read what this reads as one request too, with equal headers and an equal body:
//
// POST /day HTTP/1.1 · Host: a.test · Content-Length: 2 · {} is read; with Content-Length: +2 this gives undefined, and
// node refuses it.
//
// Two tests hold this: test/lib/http/simple-post.test.ts for the reader alone, and test/http/both-readers.test.ts for
// whole connections. CI sends 6,000 sequences both ways; SEQUENCES=50000 sends that many. src/http/messages.ts calls
// this for all bytes of a connection.

/** A POST in which nothing could be read in two ways. */
export type PlainPost = {
  /** Headers by name in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** Whether the client closes the connection after it. */
  isLast: boolean;
};

/**
 * Makes a reader of POSTs to a path. It takes only bytes that are one whole request: its head names a host and the
 * length of the body, and no header twice. Everything else gives undefined: chunks, halves, several requests, other
 * paths, malformed bytes.
 */
export function makePostReader(path: string): (bytes: Buffer) => PlainPost | undefined {
  const start = `POST ${path} HTTP/1.1\r\n`;

  return (bytes) => {
    const text = bytes.toString('latin1', 0, LONGEST_HEAD);
    if (!text.startsWith(start)) return undefined;
    const end = text.indexOf('\r\n\r\n', start.length - 2) + 2;
    const head = text.slice(0, end);
    LINES.lastIndex = start.length;
    if (!LINES.test(head)) return undefined;
    const headers = readHeaders(bytes, head, start.length);
    if (headers?.host === undefined) return undefined;
    const isLast = IS_LAST.get(headers.connection?.toLowerCase() ?? 'keep-alive');
    if (isLast === undefined) return undefined;
    const body = bytes.subarray(end + 2);
    return headers['content-length'] === String(body.length) ? { headers, body, isLast } : undefined;
  };
}

/** A longer head is left to node's parser, which refuses it. */
const LONGEST_HEAD = 16 * 1024;
/** A browser's request has a dozen or two headers. */
const MOST_HEADERS = 64;

/**
 * Header lines: a name without spaces, and a value in printable ASCII. No part can match in two ways, so the test takes
 * linear time.
 */
const LINES = /(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e]*\r\n)+$/y;
/** Headers that end a body by other means than its length, or ask for an answer before its end. */
const REFUSED = ['transfer-encoding', 'trailer', 'expect', 'upgrade', 'proxy-connection', 'http2-settings'];

const MOST_NAMES = 1_000;
const LONGEST_NAME = 100;
/**
 * Names in lower case by their spelling. Every request brings a few known ones, and this lookup is faster than making a
 * string.
 */
const names = new Map<string, string>();

/** Reads the name of a header in lower case; empty for a header of `REFUSED`. */
function readName(bytes: Buffer, head: string, from: number, to: number): string {
  const known = names.get(head.slice(from, to));
  if (known !== undefined) return known;
  // A slice of `head` would keep the whole head in memory, so the name is read from the bytes.
  const written = bytes.toString('latin1', from, to);
  const lower = written.toLowerCase();
  const name = REFUSED.includes(lower) ? '' : lower;
  if (names.size >= MOST_NAMES) names.clear();
  if (written.length <= LONGEST_NAME) names.set(written, name);
  return name;
}

/** Reads the header lines of a head; undefined if a name comes twice or must not come. */
function readHeaders(bytes: Buffer, head: string, from: number): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  let count = 0;
  for (let at = from; at < head.length; count++) {
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r', colon);
    const name = readName(bytes, head, at, colon);
    if (name === '' || headers[name] !== undefined || count === MOST_HEADERS) return undefined;
    // A slice of `head` would keep the whole head in memory.
    headers[name] = bytes.toString('latin1', colon + 1, end).trim();
    at = end + 2;
  }
  return headers;
}

/**
 * Values of the Connection header, and whether each says that this request is the last. Other values are left to node.
 */
const IS_LAST: ReadonlyMap<string, boolean> = new Map([
  ['keep-alive', false],
  ['close', true],
]);
