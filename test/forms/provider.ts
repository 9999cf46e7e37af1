import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import Provider from 'oidc-provider';

export const CLIENT = { id: 'daybook', secret: 'a secret of the client' };

/** What the provider says about a person, by the name that the person types there. */
type Claims = { email?: string; email_verified?: unknown; groups?: unknown };

/** A whole provider behind a socket. Its host name is not that of the app, so that their cookies are apart. */
export async function startProvider(t: TestContext, redirectUri: string, settings: object = {}) {
  const people = new Map<string, Claims>();
  let server = await listen(() => {}, 0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...key, kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    ...settings,
  });
  let answer: RequestListener = provider.callback();
  const start = async () => {
    server = await listen((...asked) => answer(...asked), port);
  };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await stop();
  await start();
  t.after(() => server.listening && stop());
  return {
    issuer,
    people,
    start,
    stop,
    /** Lets another program answer in place of the provider. */
    replace(other: RequestListener) {
      answer = other;
    },
  };
}

async function listen(handler: RequestListener, port: number): Promise<Server> {
  const server = createServer(handler).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A page that a browser shows, with the URLs of all redirects to it. */
export type Shown = { url: URL; status: number; text: string; headers: Headers; steps: URL[] };

/** A browser for pages without scripts. It keeps cookies by host name and follows redirects, by real HTTP. */
export function openBrowser() {
  const jars: Record<string, Map<string, string>> = {};
  const jarOf = ({ hostname }: URL): Map<string, string> => {
    const jar = jars[hostname] ?? new Map<string, string>();
    jars[hostname] = jar;
    return jar;
  };

  async function ask(url: URL, form?: Record<string, string>): Promise<Response> {
    const jar = jarOf(url);
    const answer = await fetch(url, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        'user-agent': 'Firefox/140.0',
        // A server that stops would wait a second for an open connection.
        connection: 'close',
        origin: url.origin,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** `until` stops before a URL is opened, such as the callback. */
  async function go(to: URL | string, form?: Record<string, string>, until = (_: URL) => false): Promise<Shown> {
    let url = new URL(to);
    let answer = await ask(url, form);
    const steps = [url];
    for (let place = answer.headers.get('location'); place !== null; place = answer.headers.get('location')) {
      url = new URL(place, url);
      steps.push(url);
      if (until(url)) break;
      answer = await ask(url);
    }
    return { url, status: answer.status, text: await answer.text(), headers: answer.headers, steps };
  }

  /** Goes to a page of the app and through the forms of the provider, as the person with this name. */
  async function signInAs(person: string, to: URL | string, until = (_: URL) => false): Promise<Shown> {
    let shown = await go(to, undefined, until);
    for (;;) {
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(shown.text) ?? [];
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(shown.text) ?? [];
      if (prompt === undefined || action === undefined) return shown;
      shown = await go(new URL(action, shown.url), { prompt, login: person, password: 'any' }, until);
    }
  }

  return { go, signInAs, cookies: (host: string) => jarOf(new URL(`http://${host}`)) };
}
