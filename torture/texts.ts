import { adversaries } from '../test/classify/agents.ts';

/** A message and a header have room for so much. */
export const ROOM = 8 * 1024;

/** What patterns stumble over when it comes again and again, each time with something behind that does not fit. */
const PIECES = [
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '.',
    '..',
    ',',
    ';',
    ' ',
    '\t',
    '-',
    '--',
    '_',
    '+',
    '%',
    '%2',
    '%20',
    '%zz',
    '&',
    '=',
    '?',
    '#',
  ],
  ...[
    'a',
    'A',
    '0',
    '1.',
    '1.1.1.1',
    '::',
    '0:',
    'x@',
    '@',
    'a.',
    'a-',
    '-.',
    'www.',
    'xn--',
    'xn--a.',
    'é',
    '\u200d',
    '👨‍👩‍👧',
  ],
  ...[
    'utm_source=',
    'filters[',
    ']',
    '[',
    '{',
    '"',
    "'",
    '\\',
    'Bearer ',
    'br;q=0',
    'q=0.',
    '0.0',
    '00',
    '<',
    '(',
    '((',
    'Mozilla/5.0 ',
  ],
  ...[
    'Chrome/1',
    'Version/',
    'compatible; ',
    'bot',
    'Devin/',
    '2026-01-01',
    'T10:00',
    '.1234567',
    '~',
    'https://',
    'http:',
    'android-app://',
  ],
];
const ENDS = ['', '!', '\n', '\0', 'x', '@', '/'];

/** Letters that all differ. Node takes time for each two of them when it writes a host in ASCII, up to some 5,400. */
const different = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, (_, n) => 0x4e00 + count - n));

export function* texts(): Generator<string> {
  yield* adversaries();
  for (const count of [250, 500, 1_000, 2_700, 5_400]) {
    yield* ENDS.map((end) => different(count) + end);
    yield encodeURIComponent(different(count));
    yield `x.${different(count)}.example/`;
  }
  for (const [n, one] of PIECES.entries()) {
    for (const end of ENDS) {
      yield one.repeat(ROOM / one.length) + end;
      const other = PIECES[(n * 7 + end.length + 3) % PIECES.length] ?? '';
      yield (one + other).repeat(ROOM / (one.length + other.length)) + end;
      yield one + other.repeat(ROOM / other.length) + end;
    }
  }
}
