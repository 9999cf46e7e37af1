import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { TestContext } from 'node:test';
import { listen } from '../../src/http/server.ts';
import type { TestApp } from './helpers.ts';
import { until } from './program.ts';

/** Short waits, so that a test of streams takes no minute. */
export const PACE = { every: 50, check: 50, beat: 15_000, longest: 3_600_000 };

export type Opened = {
  incoming: IncomingMessage;
  status: number;
  /** What has come so far, as it was sent. */
  text(): string;
  /** The data of the events so far. */
  // biome-ignore lint/suspicious/noExplicitAny: what the server says is what a test is about
  events(): any[];
  /** True once the server has ended it in good order, so that nothing was cut off. */
  isEnded(): boolean;
  close(): void;
};

/** An app behind a socket, and a way to read its streams. */
export async function listening(t: TestContext, app: TestApp) {
  const { port, stop } = await listen(
    { host: '127.0.0.1', port: 0, trust: app.config.trust },
    { random: randomBytes, clock: app.clock, log: () => {} },
    () => app.app,
  );
  let stopping: Promise<void> | undefined;
  const stopOnce = () => {
    stopping ??= stop();
    return stopping;
  };
  const opened: Opened[] = [];
  t.after(async () => {
    for (const one of opened) one.close();
    await stopOnce();
  });

  async function open(path: string, headers: Record<string, string>): Promise<Opened> {
    const asking = request({ port, host: '127.0.0.1', path: `/api/v1${path}`, agent: false });
    for (const [name, value] of Object.entries({ accept: 'text/event-stream', ...headers })) {
      asking.setHeader(name, value);
    }
    asking.end();
    const [incoming] = (await once(asking, 'response')) as [IncomingMessage];
    let [text, isEnded] = ['', false];
    incoming.on('end', () => {
      isEnded = true;
    });
    incoming.on('error', () => {});
    incoming.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    const one: Opened = {
      incoming,
      status: incoming.statusCode ?? 0,
      text: () => text,
      events: () => [...text.matchAll(/^event: live\ndata: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data)),
      isEnded: () => isEnded,
      close: () => void asking.destroy(),
    };
    opened.push(one);
    return one;
  }

  /** Opens a stream that must be answered, and waits for its first event. */
  async function begin(path: string, headers: Record<string, string>): Promise<Opened> {
    const one = await open(path, headers);
    await until(`a stream of ${path} begins`, () => one.events().length > 0 || one.isEnded());
    return one;
  }

  return { port, stop: stopOnce, open, begin };
}

export const bearer = ({ token }: { token: string }): Record<string, string> => ({ authorization: `Bearer ${token}` });
