// Reads plain messages. A plain message is a POST request to one path, and all parsers understand it in only one way.
// All other requests are left to the parser of Node.
//
// Invariant: Node would read these bytes as one request too, with equal headers and an equal body.
//
// Example: `POST /day HTTP/1.1 · Host: a.test · Content-Length: 2 · {}` is read. With Content-Length: +2 the result is
// undefined, and Node refuses the request.
//
// test/lib/http/simple-post.test.ts tests the reader, and test/http/both-readers.long.test.ts sends random sequences of
// requests to this reader and to Node's parser. src/http/messages.ts calls the reader for all bytes of a connection.

/** A POST request that every parser understands in only one way. */
export type PlainPost = {
  /** The names are in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** Whether the client wants the connection closed after this request. */
  isLast: boolean;
};

/**
 * Makes a function that reads POST requests to one path. The bytes must be exactly one whole request. The request must
 * name the host and the length of the body, and no header twice. Otherwise the result is undefined, and Node's slower
 * parser reads the bytes.
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

/** The longest head in bytes. A longer head is left to the parser of Node, which refuses it. */
const LONGEST_HEAD = 16 * 1024;
/** A request with more headers than this is left to the parser of Node. A browser sends about 12 to 24 headers. */
const MOST_HEADERS = 64;

/**
 * Matches header lines: a name without spaces, and a value in printable ASCII. No character can match in two ways, so a
 * hostile request cannot make matching slow.
 */
const LINES = /(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e]*\r\n)+$/y;
/**
 * A request with one of these headers is left to the parser of Node. With such a header, the body may end elsewhere
 * than Content-Length says. Or the client may wait for an answer before it sends the body.
 */
const REFUSED = ['transfer-encoding', 'trailer', 'expect', 'upgrade', 'proxy-connection', 'http2-settings'];

/**
 * The most characters of a slice that V8 copies. V8 would make a longer slice as a reference to the whole head. While a
 * visitor's header stays in memory, the whole head would stay too. So a longer value is read from the bytes, although
 * this takes more time.
 */
const SHORT = 12;

const MOST_NAMES = 1_000;
const LONGEST_NAME = 100;
/**
 * The key is the name of a header as a client wrote it, such as `Host`. The value is the name in lower case, such as
 * `host`, or an empty text for a name in `REFUSED`. Nearly all requests use only a few names, and looking a name up is
 * faster than making a new text.
 */
const names = new Map<string, string>();

/**
 * Reads the name of a header in lower case. Returns an empty text for a header that only the parser of Node handles.
 */
function readName(bytes: Buffer, head: string, from: number, to: number): string {
  const known = names.get(head.slice(from, to));
  if (known !== undefined) return known;
  // The name is read from the bytes, because it stays in the map. A slice of `head` would keep the whole head of a
  // visitor's request in memory.
  const written = bytes.toString('latin1', from, to);
  const lower = written.toLowerCase();
  const name = REFUSED.includes(lower) ? '' : lower;
  if (names.size >= MOST_NAMES) names.clear();
  if (written.length <= LONGEST_NAME) names.set(written, name);
  return name;
}

/** Reads the headers. Returns undefined for a repeated name, too many headers, or a header that only Node handles. */
function readHeaders(bytes: Buffer, head: string, from: number): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  let count = 0;
  for (let at = from; at < head.length; count++) {
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r', colon);
    const name = readName(bytes, head, at, colon);
    if (name === '' || headers[name] !== undefined || count === MOST_HEADERS) return undefined;
    const value = end - colon > SHORT ? bytes.toString('latin1', colon + 1, end) : head.slice(colon + 1, end);
    headers[name] = value.trim();
    at = end + 2;
  }
  return headers;
}

/**
 * The known values of the header Connection. True means that the connection is closed after the request. A request with
 * another value is left to the parser of Node.
 */
const IS_LAST: ReadonlyMap<string, boolean> = new Map([
  ['keep-alive', false],
  ['close', true],
]);
