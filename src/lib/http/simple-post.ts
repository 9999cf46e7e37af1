// The reader of plain messages: POSTs to one path in which nothing could be read in two ways. Node's parser is left everything else.
//
// What is read here is to node one request with these headers and this body, and so is what follows it:
//
//   POST /day HTTP/1.1 · Host: a.test · Content-Length: 2 · {}      read
//   POST /day HTTP/1.1 · Host: a.test · Content-Length: +2 · {}     undefined, for node to refuse
//
// Two tests hold this: test/lib/http/simple-post.test.ts the reader alone, and test/http/both-readers.test.ts whole connections:
// CI sends 6,000 sequences both ways, and SEQUENCES=50000 that many. src/http/messages.ts calls it for each thing that a connection brings.

/** A POST without anything in it that could be read in two ways. */
export type PlainPost = {
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** Whether its sender closes the connection after it. */
  isLast: boolean;
};

/**
 * Reads POSTs to a path in HTTP/1.1. Each is whole in the bytes that came at once, with nothing before or after it. Its head names a host,
 * the length of its body, and no header twice. All else is undefined: chunks, halves, several requests, other paths, malformed bytes.
 */
export function plainPosts(path: string): (bytes: Buffer) => PlainPost | undefined {
  const start = `POST ${path} HTTP/1.1\r\n`;

  return (bytes) => {
    const text = bytes.toString('latin1', 0, LONGEST_HEAD);
    if (!text.startsWith(start)) return undefined;
    const end = text.indexOf('\r\n\r\n', start.length - 2) + 2;
    const head = text.slice(0, end);
    LINES.lastIndex = start.length;
    if (!LINES.test(head)) return undefined;
    const headers = headersIn(bytes, head, start.length);
    if (headers?.host === undefined) return undefined;
    const isLast = IS_LAST.get(headers.connection?.toLowerCase() ?? 'keep-alive');
    if (isLast === undefined) return undefined;
    const body = bytes.subarray(end + 2);
    return headers['content-length'] === String(body.length) ? { headers, body, isLast } : undefined;
  };
}

/** More is for node's parser, which refuses it. */
const LONGEST_HEAD = 16 * 1024;
/** A request has a dozen or two. */
const MOST_HEADERS = 64;

/** Lines of a name without space around it, and a value in printable ASCII. No part can match in two ways, so a test takes linear time. */
const LINES = /(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e]*\r\n)+$/y;
/** Headers that end a body by other means than its length, or ask for an answer before there is one. */
const REFUSED = ['transfer-encoding', 'trailer', 'expect', 'upgrade', 'proxy-connection', 'http2-settings'];

const MOST_NAMES = 1_000;
const LONGEST_NAME = 100;
/** Names in lower case by what was written. Every request brings a few known ones, and a look takes less time than a new string. */
const names = new Map<string, string>();

/** The name of a header in lower case; empty for one that must not come. */
function nameIn(bytes: Buffer, head: string, from: number, to: number): string {
  const known = names.get(head.slice(from, to));
  if (known !== undefined) return known;
  // From the bytes, because a slice of the head would keep the whole head in memory.
  const written = bytes.toString('latin1', from, to);
  const lower = written.toLowerCase();
  const name = REFUSED.includes(lower) ? '' : lower;
  if (names.size >= MOST_NAMES) names.clear();
  if (written.length <= LONGEST_NAME) names.set(written, name);
  return name;
}

/** The headers in the lines of a head from a place; undefined where a name comes twice or must not come at all. */
function headersIn(bytes: Buffer, head: string, from: number): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  let count = 0;
  for (let at = from; at < head.length; count++) {
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r', colon);
    const name = nameIn(bytes, head, at, colon);
    if (name === '' || headers[name] !== undefined || count === MOST_HEADERS) return undefined;
    // From the bytes for the same reason.
    headers[name] = bytes.toString('latin1', colon + 1, end).trim();
    at = end + 2;
  }
  return headers;
}

/** Connection headers, and whether each says that this is the last request. All others are for node to understand. */
const IS_LAST: ReadonlyMap<string, boolean> = new Map([
  ['keep-alive', false],
  ['close', true],
]);
