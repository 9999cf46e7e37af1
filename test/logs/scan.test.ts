import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { makeLogScan } from '../../src/logs/scan.ts';
import { CHROME, caddy, combined, json, NOON, SITE } from './samples.ts';

/** All that is counted in a text that comes in pieces of these lengths, the last of them to its end. */
function scanned(bytes: Buffer, lengths: number[]) {
  const scan = makeLogScan(SITE);
  const reader = scan.reader({ offset: 0, lines: 0 });
  const batch = [];
  let from = 0;
  // The same memory each time, as when a file is read.
  const memory = Buffer.alloc(bytes.length);
  for (const length of [...lengths, bytes.length]) {
    const size = bytes.copy(memory, 0, from, from + length);
    reader.feed(memory.subarray(0, size));
    memory.fill(0);
    from += size;
  }
  reader.end(true);
  batch.push(...scan.takeBatch());
  return { total: scan.total, position: reader.position(), batch };
}

test('in whatever pieces a log comes in, it says the same', () => {
  const lines = [
    combined({}),
    combined({ agent: CHROME }),
    combined({ agent: CHROME, request: 'GET /gptbot HTTP/1.1' }),
    combined({ request: 'GET /caf\u00e9 HTTP/1.1' }),
    'nonsense about ClaudeBot',
    'nonsense',
    '',
    combined({ agent: 'ClaudeBot' }),
  ];
  const bytes = Buffer.from(lines.join('\n'));
  const whole = scanned(bytes, []);
  assert.deepEqual(whole.total, {
    lines: 7,
    unreadable: 2,
    firstUnreadable: 5,
    excluded: 0,
    requests: new Map([
      ['gptbot', 2],
      ['claudebot', 1],
    ]),
  });
  assert.deepEqual(
    whole.batch.map(({ crawler, page, requests }) => [crawler, page, requests]),
    [
      ['gptbot', '/page', 1],
      ['gptbot', '/caf%C3%A9', 1],
      ['claudebot', '/page', 1],
    ],
  );
  assert.deepEqual(whole.position, { offset: bytes.length, lines: 7 });
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 300 })), (lengths) => {
      assert.deepEqual(scanned(bytes, lengths), whole);
    }),
  );
});

test('no crawler is overlooked among the lines of browsers, in any format and case', () => {
  const agents = CRAWLERS.flatMap(({ token }) => [`${CHROME} ${token}1.0`, token.toUpperCase() + 1, CHROME]);
  const formats = [
    (agent: string) => combined({ agent }),
    (agent: string) => json({ agent }),
    // As PHP writes it.
    (agent: string) => json({ agent }).replaceAll('/', '\\/'),
    (agent: string) => caddy({ request: { headers: { 'User-Agent': [agent] } } }),
  ];
  for (const format of formats) {
    const { total } = scanned(Buffer.from(agents.map(format).join('\n')), []);
    assert.equal(total.lines, agents.length);
    assert.deepEqual(total.requests, new Map(CRAWLERS.map(({ id }) => [id, 2])));
  }
});

test('lines of a browser cost no parsing, and still one that is none is noticed', () => {
  const text = `${combined({ agent: CHROME })}\n192.0.2.1 something else\n${json({ agent: CHROME })}\n`;
  const { total } = scanned(Buffer.from(text.repeat(3)), []);
  assert.equal(total.lines, 9);
  assert.equal(total.unreadable, 6);
  assert.equal(total.firstUnreadable, 2);
});

test('a line without end is passed over as one that cannot be read, and takes no memory', () => {
  const long = Buffer.from(`${combined({})}\n${'GPTBot '.repeat(100_000)}\n${combined({})}\n`);
  const { total, position } = scanned(long, Array(40).fill(20_000));
  assert.equal(total.lines, 3);
  assert.equal(total.unreadable, 1);
  assert.equal(total.firstUnreadable, 2);
  assert.equal(total.requests.get('gptbot'), 2);
  assert.deepEqual(position, { offset: long.length, lines: 3 });
});

test('a line from before 1970 or after 2328 cannot be read', () => {
  for (const year of ['1969', '2329', '9999']) {
    const { total } = scanned(
      Buffer.from(`${combined({})}\n${combined({ time: `10/Mar/${year}:12:00:00 +0000` })}\n`),
      [],
    );
    assert.equal(total.unreadable, 1, year);
    assert.equal(total.requests.get('gptbot'), 1, year);
  }
});

test('what is no access log is refused after a few lines', () => {
  assert.throws(() => scanned(Buffer.from('nonsense\n'.repeat(20)), []), /this is no access log/);
});

test('a request is of the date in the zone of its site, and in another from when that is changed', () => {
  const scan = makeLogScan(SITE);
  const line = `${combined({})}\n`;
  const days = [SITE, { ...SITE, timeZone: 'Pacific/Kiritimati' }, { ...SITE, timeZone: 'Etc/GMT+12' }].map((site) => {
    scan.know(site);
    const reader = scan.reader({ offset: 0, lines: 0 });
    reader.feed(Buffer.from(line));
    reader.end(true);
    return scan.takeBatch()[0]?.day ?? 0;
  });
  const [utc = 0, east = 0, west = 0] = days;
  assert.ok(east - west >= 1 && east >= utc && west <= utc, days.join());
});

test('since a site got its zone no request is of a day that was over then, as with hits; those before have their date', () => {
  const day = Date.UTC(2026, 2, 10) / 86_400_000;
  const dayIn = (zoneSince: number) => {
    const scan = makeLogScan({ ...SITE, timeZone: 'Etc/GMT+12', zoneSince, earliestDay: day });
    const reader = scan.reader({ offset: 0, lines: 0 });
    reader.feed(Buffer.from(`${combined({ time: '10/Mar/2026:11:00:00 +0000' })}\n`));
    return scan.takeBatch()[0]?.day;
  };
  assert.equal(dayIn(NOON), day - 1);
  assert.equal(dayIn(NOON - 7_200), day);
});
