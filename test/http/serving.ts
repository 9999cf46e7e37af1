import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { makeTokenSecret } from '../../src/lib/secrets.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { type Ability, addToken } from '../../src/store/people/tokens.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { commandLine, type ServerHere } from '../cli/here.ts';
import { NOON } from '../support/helpers.ts';
import { DEADLINE_MS, program } from '../support/program.ts';

export type Reply = { status: number; headers: Record<string, string>; body: string };

type Place<Server> = { db: string; serve(flags: string[], serving: { env: Record<string, string> }): Promise<Server> };

/** A server with somebody who has a site and two tokens; what they hold is put into the file before it starts. */
async function servingIn<Server>(
  { serve, db: file }: Place<Server>,
  flags: string[] = [],
  env: Record<string, string> = {},
) {
  const store = openStore(file);
  const now = NOON / 1000;
  const tokenOf = (userId: number, abilities: Ability[]) => {
    const secret = makeTokenSecret(randomBytes);
    return `${addToken(store.db, { userId, name: 'test', abilities, secret, now }).id}|${secret}`;
  };
  const { token, otherToken, site } = store.db.write(() => {
    const user = addUser(store.db, { email: 'ann@example.com', password: null, now });
    return {
      token: tokenOf(user.id, ['read', 'write']),
      otherToken: tokenOf(user.id, ['read', 'write']),
      site: addSite(store.db, { accountId: user.accountId, domain: 'example.com', now }),
    };
  });
  store.close();
  return { server: await serve(flags, { env }), file, token, otherToken, site };
}

/** In this process. */
export const serving = (t: TestContext, flags?: string[]) => servingIn(commandLine(t), flags);

/** The built program. */
export const servingProgram = (t: TestContext, flags?: string[], env?: Record<string, string>) =>
  servingIn(program(t), flags, env);

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Takes apart what a connection brought; an answer that is cut off, or anything between two of them, is a failure. */
export function repliesOf(received: Buffer, method = 'GET'): Reply[] {
  const replies: Reply[] = [];
  for (let rest = received.toString('latin1'); rest !== ''; ) {
    const [head = '', start = '', lines = ''] =
      /^(HTTP\/1\.1 \d{3} [A-Za-z ]+)\r\n((?:[\w-]+: .*\r\n)*)\r\n/.exec(rest) ?? [];
    assert.ok(head, `no answer: ${rest.slice(0, 300)}`);
    const headers = Object.fromEntries(
      lines
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    // Before it knows the method, the parser cannot know either that HEAD wants no body.
    const bare = method === 'HEAD' && /^(HTTP\/1\.1 |$)/.test(rest.slice(head.length));
    const length = bare ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(head.length, head.length + length);
    assert.equal(body.length, length, `cut off: ${rest}`);
    replies.push({ status: Number(start.slice(9, 12)), headers, body: Buffer.from(body, 'latin1').toString() });
    rest = rest.slice(head.length + length);
  }
  return replies;
}

export function open({ port }: Pick<ServerHere, 'port'>): Socket {
  const socket = connect(port, '127.0.0.1');
  // A server that never closes is what these tests would hang on otherwise.
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('the server neither answered nor closed')));
  return socket;
}

/** Sends bytes as they are; the one answer to them, after which the server must close. */
export async function send(server: Pick<ServerHere, 'port'>, bytes: string | Buffer): Promise<Reply> {
  const socket = open(server);
  socket.write(bytes);
  const replies = repliesOf(await buffer(socket), bytes.toString('latin1').split(' ')[0]);
  assert.equal(replies.length, 1, JSON.stringify(replies));
  return replies[0] as Reply;
}

/** A request of its own for send(): with these lines, and the server is to close afterwards. */
export const lines = (...all: string[]): string => [...all, 'Connection: close', '', ''].join('\r\n');

export function assertProblem(reply: Reply, status: number, code: string) {
  const body = JSON.parse(reply.body) as { error: { code: string; message: string; fields?: Record<string, string> } };
  assert.equal(reply.status, status, reply.body);
  assert.deepEqual(Object.keys(body), ['error']);
  assert.equal(body.error.code, code);
  assert.equal(typeof body.error.message, 'string');
  assert.equal(reply.headers['content-type'], 'application/json');
  assert.match(reply.headers['x-request-id'] ?? '', /^[0-9A-Za-z]+-[0-9a-z]+$/);
  return body.error;
}

export const big = (length: number): string => 'a'.repeat(length);
