import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { request } from '../../src/destinations/request.ts';
import { askNameServers, chooseResolve } from '../../src/destinations/resolve.ts';
import { coded } from '../../src/lang/coded.ts';
import { until } from '../support/program.ts';

const { signal } = new AbortController();

/** The types of questions and answers in DNS. */
const [A, AAAA] = [1, 28];

/** A name server on this machine. `find` gives the bytes of an IP address, or undefined to never answer. */
async function nameServer(t: TestContext, find: (type: number) => number[] | undefined) {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  const asked = { count: 0, servers: [`127.0.0.1:${socket.address().port}`] };
  socket.on('message', (message, from) => {
    asked.count++;
    const nameEnd = message.indexOf(0, 12) + 1;
    const type = message.readUInt16BE(nameEnd);
    const address = find(type);
    if (!address) return;
    const answers = address.length > 0 ? 1 : 0;
    const head = Buffer.from([...message.subarray(0, 2), 0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0]);
    const record = [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address];
    const own = answers === 1 ? Buffer.from(record) : Buffer.alloc(0);
    socket.send(Buffer.concat([head, message.subarray(12, nameEnd + 4), own]), from.port, from.address);
  });
  return asked;
}

const countThreads = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'GetAddrInfoReqWrap').length;

type Options = Parameters<typeof request>[1];
const post = (url: string, options: Pick<Options, 'allowed' | 'resolve'> & Partial<Options>) =>
  request({ method: 'POST', url, headers: {}, body: '{}' }, { stop: signal, ...options });

test('resolve: a name server that never answers takes no thread, and ends with its request', async (t) => {
  const silent = await nameServer(t, () => undefined);
  const questions: Promise<unknown>[] = [];
  const resolve = (host: string, end: AbortSignal) => {
    const question = askNameServers(host, end, silent.servers);
    questions.push(question);
    return question;
  };
  const time = new AbortController();
  const asking = Array.from({ length: 8 }, (_, i) =>
    post(`https://h${i}.example.com/`, { allowed: 'public', resolve, stop: time.signal }),
  );
  assert.equal(countThreads(), 0);
  await until('each host is asked for', () => silent.count >= 8);
  time.abort(new DOMException('', 'TimeoutError'));
  for (const answered of await Promise.all(asking)) assert.deepEqual(answered, { failure: coded('no_answer_in_time') });
  assert.equal(questions.length, 8);
  // A question that went on would end as one without an answer.
  for (const question of questions) await assert.rejects(question, { code: 'ECANCELLED' });
});

test('resolve: names of the public internet take no thread', async () => {
  const end = new AbortController();
  const asking = chooseResolve('public')('example.com', end.signal);
  assert.equal(countThreads(), 0);
  end.abort();
  await assert.rejects(asking, { code: 'ECANCELLED' });
});

test('resolve: with private networks, the system is asked for one name at a time', async () => {
  const find = chooseResolve('private');
  const asking = Array.from({ length: 8 }, () => find('localhost', signal));
  assert.equal(countThreads(), 1);
  for (const found of await Promise.all(asking)) assert.match(found[0]?.address ?? '', /^127\.0\.0\.1$|^::1$/);
  const ended = AbortSignal.abort();
  await assert.rejects(find('localhost', ended), { name: 'AbortError' });
});

test('resolve: IP addresses of both kinds are found, and one kind is enough', async (t) => {
  const four = { address: '93.184.216.34', family: 4 };
  const six = { address: '2001:db8::7', family: 6 };
  const ofFour = (type: number) => (type === A ? [93, 184, 216, 34] : []);
  const ofBoth = (type: number) =>
    type === AAAA ? [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7] : ofFour(type);
  const find = async (answer: (type: number) => number[]) =>
    askNameServers('a.example.com', signal, (await nameServer(t, answer)).servers);
  assert.deepEqual(await find(ofBoth), [four, six]);
  assert.deepEqual(await find(ofFour), [four]);
  await assert.rejects(
    find(() => []),
    { code: 'ENODATA' },
  );
});

test('resolve: a private IP address from a name server gets no connection', async (t) => {
  const { servers } = await nameServer(t, (type) => (type === A ? [127, 0, 0, 1] : []));
  const resolve = (host: string, end: AbortSignal) => askNameServers(host, end, servers);
  assert.deepEqual(await post('https://rebind.example.com/', { allowed: 'public', resolve }), {
    failure: coded('private_network', { host: 'rebind.example.com' }),
  });
});
