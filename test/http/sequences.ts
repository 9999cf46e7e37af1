// What a client may send to the path of hits: plain messages, messages in which some bytes are changed, and requests in which something is
// wrong (malformed.ts). Each sequence comes in pieces, as a network may cut it:
//
//   [POST /day ... Content-Length: 58\r\n\r\n{"site":"exa] [mple.com","url":"https://example.com/a"}]
//
// Two thirds are plain or nearly so, because only these are read by hand. Used by both-readers.long.test.ts.
import { malformed, ODD } from './malformed.ts';

type Random = () => number;

const pickFrom =
  (random: Random) =>
  <One>(from: readonly One[]): One =>
    from[Math.floor(random() * from.length)] as One;

// biome-ignore format: lists to choose from
const PLAIN = {
  hosts: ['Host: a.test', 'host: a.test', 'HOST:a.test', 'Host: \ta.test ', 'Host:'],
  headers: [
    'Content-Type: text/plain', 'content-type: application/json; charset=utf-8', 'Accept: */*',
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Accept-Language: en', 'DNT: 1',
    'X-Forwarded-For: 192.0.2.1', 'X-Forwarded-For: ', 'Sec-Purpose: prefetch', 'Cookie: a=b; c=d', 'Empty:', 'A: b: c',
    "!#$%&'*+.^_`|~-1: x", 'Connection: keep-alive', 'Connection: Close', 'Connection: close', 'Keep-Alive: 5',
    'Sec-CH-UA: "Chromium";v="141"', 'Origin: null', `Referer: https://example.com/${'x'.repeat(300)}`, 'TE: trailers',
  ],
  hits: [
    '{"site":"example.com","url":"https://example.com/a"}', '{"site":"example.com","url":"https://example.com/b","event":"größe 😀"}',
    '{"site":"example.com","url":"https://example.com/c","engaged":1000}', ' {"site":"example.com","url":"https://example.com/d"}\r\n',
    '{"site":"other.example","url":"https://example.com/e"}', `{"site":"example.com","url":"https://example.com/${'f'.repeat(2_000)}"}`,
  ],
  bodies: [
    '{"site":"example.com"}', '[]', '{', '', '\xff\xfe', '{"a":1}'.padEnd(8_192),
    '{"site":"example.com","url":"https://example.com/g"}'.padEnd(8_193), `{"site":"${'x'.repeat(9_000)}"}`,
  ],
  // Where two readers could disagree about the end of a line, a name, a length or a message.
  bytes: ['\r', '\n', '\r\n', '\n\n', '\r\n\r\n', '\0', ' ', '\t', ':', ',', ';', '0', '1', '+', '-', '\x7f', '\x80', '\xff', '\x0b', '\x0c', 'A'],
  lines: [
    'Content-Length: 52', 'Content-Length: 0', 'content-length : 52', 'Content-Length:052', 'Content-Length: 52, 52', 'Content-Length: +52',
    'Transfer-Encoding: chunked', 'Transfer-Encoding : chunked', 'Transfer-Encoding:\tchunked', 'Transfer-Encoding: xchunked',
    'Host: b.test', 'Connection: close, keep-alive', 'Connection: upgrade', 'Upgrade: h2c', 'Proxy-Connection: close', 'Connection:',
  ],
  versions: ['HTTP/1.0', 'HTTP/1.1 ', 'HTTP/2.0', 'http/1.1', 'HTTP/1.2', ''],
  targets: ['/day?', '/day/', '/day#x', '/DAY', '//day', 'http://a.test/day', '/%64ay', '/day.gif', '*'],
};

/** A message of which every byte is in order, though not always what is in it. */
function plain(random: Random): string {
  const pick = pickFrom(random);
  const body = Buffer.from(pick(random() < 0.8 ? PLAIN.hits : PLAIN.bodies));
  const headers = [pick(PLAIN.hosts), `Content-Length: ${body.length}`];
  for (let more = Math.floor(random() * 5); more > 0; more--) headers.push(pick(PLAIN.headers));
  // In any order, and most often each once.
  headers.sort(() => random() - 0.5);
  return ['POST /day HTTP/1.1', ...headers, '', body.toString('latin1')].join('\r\n');
}

/** Changes one thing: bytes anywhere, a line of the head, or the first line. */
function change(text: string, random: Random): string {
  const pick = pickFrom(random);
  const end = text.indexOf('\r\n\r\n');
  // Mostly in the head, which is where messages begin and end.
  const at = Math.floor(random() * (random() < 0.8 && end > 0 ? end + 4 : text.length));
  const lines = text.split('\r\n');
  const line = 1 + Math.floor(random() * 4);
  const changes: (() => string)[] = [
    () => text.slice(0, at) + pick(PLAIN.bytes) + text.slice(at),
    () => text.slice(0, at) + pick(PLAIN.bytes) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 3)),
    () => text.slice(0, at),
    () => text + text.slice(at),
    () => text + plain(random),
    () => lines.toSpliced(line, 1).join('\r\n'),
    () => lines.toSpliced(line, 0, lines[line] ?? '').join('\r\n'),
    () => lines.toSpliced(line, 0, pick(PLAIN.lines)).join('\r\n'),
    () => lines.toSpliced(line, 0, pick(ODD.headers)).join('\r\n'),
    () => text.replace('HTTP/1.1', pick(PLAIN.versions)),
    () => text.replace('/day', pick(PLAIN.targets)),
    () => text.replace('POST', pick(ODD.methods)),
    () => text.replaceAll('\r\n', pick(['\n', '\r', '\r\n '])),
  ];
  return pick(changes)();
}

/** One sequence of bytes after another, each in one piece or in some. */
export function* sequences(random: Random): Generator<Buffer[]> {
  const others = malformed(random, 'x');
  const make = (): string => {
    if (random() < 0.3) {
      const text = (others.next().value as { bytes: Buffer }).bytes.toString('latin1');
      return text.replace(/^(?:POST|GET|PATCH|DELETE) \/\S* /, 'POST /day ');
    }
    let text = plain(random);
    while (random() < 0.5) text = change(text, random);
    return text;
  };
  for (;;) {
    const bytes = Buffer.from(make(), 'latin1');
    // Only a client that knows that it asked for HEAD can read the answer, and nobody reads a body that comes with TRACE.
    if (bytes.length === 0 || /HEAD |TRACE /.test(bytes.toString('latin1'))) continue;
    const cuts = random() < 0.7 ? [] : [random(), random()].map((share) => Math.floor(share * bytes.length));
    const ends = [...cuts.sort((one, other) => one - other), bytes.length];
    yield ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end)).filter(({ length }) => length > 0);
  }
}
