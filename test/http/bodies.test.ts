import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { assertProblem, bearer, big, lines, open, type Reply, repliesOf, send, serving } from './serving.ts';

test('a body of more than 64 KiB is refused, whether its length is announced or not', async (t) => {
  const { server, token, site } = await serving(t);
  const post = (who: string, body: string, announced: boolean) =>
    new Promise<Reply>((resolve, reject) => {
      const headers = { ...bearer(who), 'Content-Type': 'application/json' };
      const length = announced ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' };
      const asking = request(`${server.url}/api/v1/sites/${site}/notes`, {
        method: 'POST',
        headers: { ...headers, ...length },
      });
      asking.on('error', reject).on('response', async (incoming: IncomingMessage) => {
        const answered = { status: incoming.statusCode ?? 0, headers: incoming.headers as Record<string, string> };
        resolve({ ...answered, body: await text(incoming) });
      });
      asking.end(body);
    });
  const bodyOf = (length: number) => JSON.stringify({ date: '2026-01-31', text: 'x' }).padEnd(length);
  for (const announced of [true, false]) {
    assertProblem(await post(token, bodyOf(64 * 1024 + 1), announced), 413, 'payload_too_large');
    assertProblem(await post(token, big(300_000), announced), 413, 'payload_too_large');
    assertProblem(await post('nonsense', bodyOf(300_000), announced), 401, 'unauthenticated');
    assert.equal((await post(token, bodyOf(64 * 1024), announced)).status, 201);
  }
});

test('a body that is announced as too large is refused before it comes', async (t) => {
  const { server, token, site } = await serving(t);
  const socket = open(server);
  const head = `POST /api/v1/sites/${site}/notes HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{`);
  const [reply] = repliesOf(await buffer(socket));
  assert.ok(reply);
  assertProblem(reply, 413, 'payload_too_large');
});

test('a body that is no JSON object, or is not sent as one, is a 422 that says so', async (t) => {
  const { server, token, site } = await serving(t);
  const json = 'application/json';
  const good = '{"date":"2026-01-31","text":"x"}';
  const wrong: [string | undefined, string | Uint8Array][] = [
    [json, ''],
    [json, '{'],
    [json, "{'date':'2026-01-31'}"],
    [json, `${good}${good}`],
    [json, `\ufeff\ufeff${good}`],
    [json, '[]'],
    [json, `[${good}]`],
    [json, 'null'],
    [json, '"text"'],
    [json, '7'],
    [undefined, good],
    ['text/plain', good],
    ['application/x-www-form-urlencoded', 'date=2026-01-31&text=x'],
    ['application/jsonp', good],
    [json, Buffer.from('{"date":"2026-01-31","text":"\xff"}', 'latin1')],
    [json, Buffer.from('{"date":"2026-01-31","text":"\xc0\xaf"}', 'latin1')],
    [json, Buffer.from(good, 'utf16le')],
  ];
  const post = (type: string | undefined, body: string | Uint8Array) => {
    const bytes = Buffer.from(body);
    const head = [`POST /api/v1/sites/${site}/notes HTTP/1.1`, 'Host: a.test', `Authorization: Bearer ${token}`];
    const more = [...(type === undefined ? [] : [`Content-Type: ${type}`]), `Content-Length: ${bytes.length}`];
    return send(server, Buffer.concat([Buffer.from(lines(...head, ...more)), bytes]));
  };
  for (const [type, body] of wrong) {
    const { fields } = assertProblem(await post(type, body), 422, 'invalid_request');
    assert.deepEqual(Object.keys(fields ?? {}), ['body'], `${type}: ${body}`);
  }
  assert.equal((await post('Application/JSON; charset=utf-8', good)).status, 201);
});
