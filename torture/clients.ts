import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { BROWSER } from '../test/collect/stage.ts';

export type Reply = {
  /** 0 where the connection broke; the text then says how. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
};
type Asking = { headers?: Record<string, string>; body?: string; patience?: number };

export type Client = ReturnType<typeof clientOf>;

/** One connection that is kept alive, and made anew when it broke; from another address of this machine where one is named. */
export function clientOf(port: number, localAddress = '127.0.0.1') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask(method: string, path: string, { headers = {}, body = '', patience = 60_000 }: Asking = {}): Promise<Reply> {
      const start = performance.now();
      return new Promise((resolve) => {
        const end = (status: number, text: string, headers: IncomingHttpHeaders = {}) =>
          resolve({ status, headers, text, ms: performance.now() - start });
        const broken = ({ code, message }: NodeJS.ErrnoException) => end(0, code ?? message);
        const length = { 'content-length': String(Buffer.byteLength(body)) };
        const to = { agent, host: '127.0.0.1', localAddress, port, method, path, headers: { ...headers, ...length } };
        const asking = request(to, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          answer.on('error', broken).on('end', () => end(answer.statusCode ?? 0, text, answer.headers));
        });
        asking.setTimeout(patience, () => asking.destroy(new Error('no answer')));
        asking.on('error', broken).end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/** A pageview as the script sends it. */
export const pageview = (client: Client, site: string, page: string, who = 1): Promise<Reply> =>
  client.ask('POST', '/day', {
    headers: { ...BROWSER, 'x-forwarded-for': `198.51.100.${who}` },
    body: JSON.stringify({ site, url: `https://${site}${page}` }),
  });

/** What a crowd did. */
export type Sheet = {
  /** Pages, each of which is named once. */
  sent: Set<string>;
  acknowledged: Set<string>;
  /** How often each other status came, by status and what was said. */
  others: Map<string, number>;
  /** How long each acknowledged one took. */
  took: number[];
};

type Plan = {
  site: string;
  clients: number;
  /** Before every page, so that crowds on one site do not name the same. */
  name?: string;
  /** Each sends no more than so many. */
  most?: number;
  /** Each begins one so often, or as soon as the one before is answered where that is later. */
  everyMs?: number;
  /** Goes on when a connection broke. */
  stubborn?: boolean;
};

/** People who send pageviews one after the other, each over a connection of their own, until it breaks or the crowd is stopped. */
export function crowd(port: number, { site, clients, name = '', most = 1e9, everyMs = 0, stubborn = false }: Plan) {
  const sheet: Sheet = { sent: new Set(), acknowledged: new Set(), others: new Map(), took: [] };
  let isOver = false;

  async function browse(who: number): Promise<void> {
    const client = clientOf(port);
    let due = performance.now() + (everyMs * who) / clients;
    for (let n = 0; n < most && !isOver; n++) {
      if (due > performance.now()) await pause(due - performance.now());
      if (isOver) break;
      due = Math.max(due + everyMs, performance.now());
      const page = `/${name}${who}/${n}`;
      sheet.sent.add(page);
      const { status, headers, text, ms } = await pageview(client, site, page, who);
      if (status === 202) {
        sheet.acknowledged.add(page);
        sheet.took.push(ms);
      } else {
        const what = `${status} ${text}`;
        sheet.others.set(what, (sheet.others.get(what) ?? 0) + 1);
      }
      if ((status === 0 || headers.connection === 'close') && !stubborn) break;
    }
    client.close();
  }

  const done = Promise.all(Array.from({ length: clients }, (_, who) => browse(who)));
  return {
    sheet,
    /** When each has ended. */
    done,
    async stop(): Promise<Sheet> {
      isOver = true;
      await done;
      return sheet;
    },
  };
}

/** The value below which such a part of all lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
