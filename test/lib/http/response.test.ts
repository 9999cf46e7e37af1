import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '../../../src/lib/http/response.ts';

test('an answer is read up to its limit, and one without end is left at it', async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(10).fill(97 + sent++)),
  });
  await assert.rejects(readText(new Response(endless), 25), /^Error: the answer has more than 25 bytes$/);
  assert.ok(sent < 10, `${sent} pieces were asked for`);
  assert.equal(await readText(new Response('äöü'), 6), 'äöü');
  await assert.rejects(readText(new Response('äöü'), 5), /more than 5 bytes/);
});
