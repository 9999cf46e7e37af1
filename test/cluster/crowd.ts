import { Agent, request } from 'node:http';
import { BROWSER } from '../collect/stage.ts';

export const CLIENTS = 24;
/** Each hit has a page of its own, of which a site keeps 10,000 a day apart; so everybody goes on to another site. */
const PAGES = 9_000;
export const SITES = 2 * CLIENTS;
const siteOf = (client: number, n: number): number => client + CLIENTS * Math.floor(n / PAGES);
export const domainOf = (site: number): string => `s${site}.example`;

/** The status that a message is answered with; undefined when the connection breaks before. */
const post = (agent: Agent, port: number, client: number, message: object): Promise<number | undefined> =>
  new Promise((resolve) => {
    const headers = { ...BROWSER, 'x-forwarded-for': `85.214.1.${client}` };
    const sending = request({ agent, port, method: 'POST', path: '/day', headers }, (answer) => {
      answer.on('error', () => resolve(undefined));
      answer.on('end', () => resolve(answer.statusCode)).resume();
    });
    sending.on('error', () => resolve(undefined));
    sending.end(JSON.stringify(message));
  });

/** People who look at one page after the other, each at whichever collector is there. */
export function crowd(random: () => number, ports: () => readonly number[]) {
  const [sent, acknowledged, sites] = [new Set<string>(), new Set<string>(), new Set<number>()];
  let isOver = false;
  async function browse(client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    for (let n = 0; !isOver && siteOf(client, n) < SITES; n++) {
      const here = ports();
      const port = here[Math.floor(random() * here.length)];
      const page = `/${client}/${n}`;
      if (port === undefined) {
        await new Promise(setImmediate);
        continue;
      }
      sent.add(page);
      const site = domainOf(siteOf(client, n));
      sites.add(siteOf(client, n));
      const status = await post(agent, port, client, { site, url: `https://${site}${page}` });
      if (status === 202) acknowledged.add(page);
    }
    agent.destroy();
  }
  const all = Array.from({ length: CLIENTS }, (_, client) => browse(client));
  return {
    sent,
    acknowledged,
    sites,
    async end(): Promise<void> {
      isOver = true;
      await Promise.all(all);
    },
  };
}
