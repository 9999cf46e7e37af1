import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY } from '../../src/lib/time.ts';
import { startApp } from '../support/helpers.ts';
import { ANN, invite, logged, mailTo, read } from './inviting.ts';
import { mailServer } from './server.ts';

/** What could become another recipient or header, and what is no address at all. */
const HOSTILE = [
  'ann@example.com\r\nBcc: eve@example.com',
  'ann@example.com\nBcc: eve@example.com',
  'ann@example.com\r\n\r\nHello',
  'ann@example.com\r',
  'ann@example.com\n',
  '\nann@example.com',
  'ann\r\n@example.com',
  'ann@exam\rple.com',
  'ann@example.com%0aBcc:eve@example.com',
  'ann@example.com%0d%0aBcc:eve@example.com',
  'ann@example.com\u2028Bcc: eve@example.com',
  'ann@example.com\u2029',
  'ann@example.com\u0085',
  'ann@example.com\u0000',
  'ann@example.com\u000b',
  'ann@example.com,eve@example.com',
  'ann@example.com, eve@example.com',
  'ann@example.com;eve@example.com',
  'ann@example.com eve@example.com',
  'group:ann@example.com,eve@example.com;',
  'ann(comment)@example.com',
  '(eve@example.com) ann@example.com',
  'ann@example.com (Ann)',
  '"ann"@example.com',
  '"ann@evil.example.com"@example.com',
  'Ann <ann@example.com>',
  '"Ann" <ann@example.com>',
  '<ann@example.com>',
  'ann@example.com>',
  'ann@eve@example.com',
  'ann\\@eve@example.com',
  'ann@[127.0.0.1]',
  'ann@127.0.0.1',
  'ann@1.2',
  'ann@0x10',
  'ann@example.com:25',
  ' ann@example.com',
  'ann@example.com ',
  'ann@example.com\t',
  'änn@example.com',
  'ann@exämple.com',
  'ann＠example.com',
  'ann@example．com',
  '@example.com',
  'ann@',
  'ann',
  '',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a.'.repeat(124)}example.com`,
  ['ann@example.com'],
  ['ann@example.com', 'eve@example.com'],
  { address: 'ann@example.com' },
  null,
];

test('an address that could become another recipient or header is refused, and nothing reaches the mail server', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  for (const email of HOSTILE) {
    const { status, body } = await app.owner.ask('POST', '/team', { email, role: 'viewer' });
    assert.equal(status, 422, JSON.stringify(email));
    assert.deepEqual(Object.keys(body.error.fields), ['email'], JSON.stringify(email));
  }
  await app.post.settle();
  assert.equal(server.mails.length, 0);
  assert.deepEqual(app.log, []);
  // It would have come, had there been one.
  await invite(app.owner, ANN);
  assert.deepEqual((await server.next()).to, [ANN]);
});

const HEADERS = 'content-transfer-encoding content-type date from message-id mime-version subject to'.split(' ');

test('whatever address is taken, the mail goes to it alone and has no header more', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  const hostile = ['\r\n', '\u2028', '%0a', '=?utf-8?q?=0A?=', 'eve', ...".-aZ0,;:<>()@ '!#$%&*+/=?^_`{|}~"];
  const pieces = fc.constantFrom(...hostile);
  const safe = fc.constantFrom(..."abzAZ019.!#$%&'*+/=?^_`{|}~-");
  const address = fc.oneof(
    fc.tuple(
      fc.string({ unit: safe, minLength: 1, maxLength: 64 }),
      fc.constantFrom('example.com', 'b.c', '1.example', '-'),
    ),
    fc.tuple(
      fc.string({ unit: pieces, minLength: 1, maxLength: 8 }),
      fc.string({ unit: pieces, minLength: 1, maxLength: 4 }),
    ),
  );
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(address, async ([local, domain]) => {
      app.clock.pass(DAY);
      app.log.length = 0;
      server.mails.length = 0;
      const email = `${local}@${domain}`;
      const { status } = await app.owner.ask('POST', '/team', { email, role: 'viewer' });
      await app.post.settle();
      if (status === 422) return assert.deepEqual([app.log, server.mails], [[], []]);
      assert.equal(status, 201);
      taken++;
      // A mail server may have its own opinion of what is an address, and none may go anywhere else.
      assert.equal(app.log.length, 1);
      assert.equal(server.mails.length, logged(app, 'e-mail sent').length);
      for (const mail of server.mails) {
        const { headers } = read(mail);
        assert.deepEqual([mail.to, headers.to], [[email.toLowerCase()], email.toLowerCase()]);
        assert.deepEqual(Object.keys(headers).sort(), HEADERS);
      }
    }),
    // A mail takes a while, and mail programs read these domains as IPv4 addresses.
    { numRuns: 30, examples: [[['ann', '1.2']], [['ann', '0x10']], [['{ann}', 'example.com']]] },
  );
  assert.ok(taken > 0);
});
