/** A POST without anything in it that could be read in two ways. */
export type PlainPost = {
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** Whether its sender closes the connection after it. */
  isLast: boolean;
};

/** More is for node's parser, which refuses it. */
const LONGEST_HEAD = 16 * 1024;
/** A request has a dozen or two. */
const MOST_HEADERS = 64;

/** Lines of a name, which has no space around it, and of a value in printable ASCII. No part can match in two ways, so it takes linear time. */
const LINES = /(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e]*\r\n)+$/y;
/** What says where a body ends by other means than its length, or asks for an answer before there is one. */
const REFUSED = ['transfer-encoding', 'trailer', 'expect', 'upgrade', 'proxy-connection', 'http2-settings'];

const MOST_NAMES = 1_000;
const LONGEST_NAME = 100;
/** Names in lower case by what was written. The same few come with every request, and a look takes less time than to write one anew. */
const names = new Map<string, string>();

/** The name of a header in lower case; empty for one that must not come. */
function nameIn(bytes: Buffer, head: string, from: number, to: number): string {
  const known = names.get(head.slice(from, to));
  if (known !== undefined) return known;
  // From the bytes, because a slice of the head would keep all of it in memory for as long as it is kept itself.
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
    // From the bytes too.
    headers[name] = bytes.toString('latin1', colon + 1, end).trim();
    at = end + 2;
  }
  return headers;
}

/** Whether a Connection header says that this is the last request; any other says something that is for node to understand. */
const IS_LAST: ReadonlyMap<string, boolean> = new Map([
  ['keep-alive', false],
  ['close', true],
]);

/**
 * Reads POSTs to a path, in HTTP/1.1, of which each is whole in the bytes that came at once, with nothing before or after it: its
 * head names a host, the length of its body and no header twice. Whatever else there is (chunks, halves, several requests, other
 * paths, what is malformed) is undefined, and for node's parser to understand or to refuse. So nothing is understood here that
 * another program could understand in another way. Held by test/lib/http/simple-post.test.ts against node's parser.
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
