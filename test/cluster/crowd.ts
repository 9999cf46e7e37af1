import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { BROWSER, GPTBOT } from '../collect/stage.ts';

export const CLIENTS = 24;
/** Each hit has a page of its own, of which a site keeps 10,000 a day apart; so everybody goes on to another site. */
const PAGES = 9_000;
export const SITES = 2 * CLIENTS;
export const domainOf = (site: number): string => `s${site}.example`;

type Answer = { status: number | undefined; dropped: string | undefined };

/** How a message is answered; without a status when the connection breaks before. */
const post = (agent: Agent, port: number, headers: Record<string, string>, message: object): Promise<Answer> =>
  new Promise((resolve) => {
    const broken = () => resolve({ status: undefined, dropped: undefined });
    const sending = request({ agent, port, method: 'POST', path: '/day', headers }, (answer) => {
      const dropped = answer.headers['daybook-dropped']?.toString();
      answer.on('error', broken);
      answer.on('end', () => resolve({ status: answer.statusCode, dropped })).resume();
    });
    sending.on('error', broken);
    sending.end(JSON.stringify(message));
  });

/** What was sent of a kind, and of that what was acknowledged. */
export type Sheet = { sent: Set<string>; acknowledged: Set<string> };
const sheet = (): Sheet => ({ sent: new Set(), acknowledged: new Set() });

type Sending = { site: string; page: string; headers: Record<string, string>; to: Sheet };

type Manner = {
  clients?: number;
  /** So long each rests between two pages. */
  restMs?: number;
  /** One of so many messages is a crawler's, and another one of an excluded visitor. */
  othersIn?: number;
};

/** People who look at one page after the other, each at whichever collector is there. */
export function crowd(
  random: () => number,
  ports: () => readonly number[],
  { clients = CLIENTS, restMs = 0, othersIn }: Manner = {},
) {
  const siteOf = (client: number, n: number): number => client + clients * Math.floor(n / PAGES);
  const [people, crawls, excluded] = [sheet(), sheet(), sheet()];
  const sites = new Set<number>();
  let isOver = false;
  let isResting = false;
  const agent = () => new Agent({ keepAlive: true });

  async function send(own: Agent, { site, page, headers, to }: Sending): Promise<void> {
    const here = ports();
    const port = here[Math.floor(random() * here.length)];
    if (port === undefined || isResting) {
      await pause(5);
      return;
    }
    to.sent.add(page);
    const { status, dropped } = await post(own, port, headers, { site, url: `https://${site}${page}` });
    if (status === 202 && (dropped === undefined || dropped === 'crawler')) to.acknowledged.add(page);
  }

  const visitor = (address: string) => ({ ...BROWSER, 'x-forwarded-for': address });

  async function browse(client: number): Promise<void> {
    const own = agent();
    for (let n = 0; !isOver && siteOf(client, n) < SITES; n++) {
      const site = domainOf(siteOf(client, n));
      sites.add(siteOf(client, n));
      const kind = othersIn === undefined ? 2 : Math.floor(random() * othersIn);
      const page = `/${client}/${n}`;
      const headers = visitor(`85.214.1.${client}`);
      if (kind === 0) await send(own, { site, page, headers: { ...headers, 'user-agent': GPTBOT }, to: crawls });
      else if (kind === 1) await send(own, { site, page, headers: visitor(`192.0.2.${client}`), to: excluded });
      else await send(own, { site, page, headers, to: people });
      if (restMs > 0) await pause(2 * restMs * random());
    }
    own.destroy();
  }

  const all = Array.from({ length: clients }, (_, client) => browse(client));
  return {
    ...people,
    ...{ crawls, excluded, sites },
    /** Somebody looks at pages of one more site until told to stop; gives what they saw. */
    visit(site: string): { seen: Sheet; leave(): Promise<void> } {
      const seen = sheet();
      let isThere = true;
      const run = async () => {
        const own = agent();
        for (let n = 0; isThere && !isOver; n++) {
          await send(own, { site, page: `/guest/${site}/${n}`, headers: visitor('85.214.2.1'), to: seen });
          await pause(restMs);
        }
        own.destroy();
      };
      const running = run();
      return {
        seen,
        async leave() {
          isThere = false;
          await running;
        },
      };
    },
    /** Nobody sends anything until they are told to go on. */
    rest: (is: boolean): void => {
      isResting = is;
    },
    async end(): Promise<void> {
      isOver = true;
      await Promise.all(all);
    },
  };
}
