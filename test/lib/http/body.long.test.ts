import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { queryObjects } from 'node:v8';
import { readBody, readMessage } from '../../../src/lib/http/input.ts';
import { arriving, problemOf } from './bodies.ts';

test('a body that comes byte by byte is read, and its chunks do not stay in memory', async () => {
  const text = Array.from({ length: 8_000 }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');
  assert.equal(await readBody(arriving([...text]), text.length), text);
  assert.equal((await problemOf(readBody(arriving([...text]), text.length - 1))).code, 'payload_too_large');

  const incoming = Object.assign(new EventEmitter(), { headers: {}, readableEnded: true });
  const message = readMessage(incoming as unknown as IncomingMessage, text.length);
  const before = Number(queryObjects(Buffer));
  for (const letter of text) incoming.emit('data', Buffer.from(letter));
  assert.ok(Number(queryObjects(Buffer)) - before < text.length / 10);
  incoming.emit('end');
  assert.equal(await message, text);
});
