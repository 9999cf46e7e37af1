// The client of the proof that the program forgets a visitor. The client acts as a made-up visitor, and reads the
// statistics during the proof.
//
// Invariant: no real visitor has the IP address and the user agent of the made-up visitor. The requests go only to the
// server of the proof.
//
// Example: `countVisit(url, '198.51.100.7', agent)` sends one pageview. `lookOn` asks for a report each second, until
// the caller stops the returned timer. prove.ts calls these functions.
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../lib/errors.ts';
import { makeRandomText, type Random } from '../lib/secrets.ts';

export const DOMAIN = 'forgetting.example';

/** Makes an IP address from a network for examples (RFC 5737), which no visitor has. */
export const makeAddress = (random: Random): string => `198.51.100.${1 + ((random(1)[0] as number) % 254)}`;

/** The IP address of a second made-up visitor. On a cluster, the proof counts this visitor after midnight. */
export const OTHER_ADDRESS = '203.0.113.9';

export const makeAgent = (random: Random): string =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 proof-${makeRandomText(random, 16)}`;

export async function countVisit(url: string, address: string, agent: string): Promise<void> {
  const answer = await send(`${url}/day`, {
    method: 'POST',
    headers: {
      ...{ 'user-agent': agent, 'x-forwarded-for': address, 'content-type': 'text/plain' },
      ...{ 'accept-language': 'en', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' },
    },
    body: JSON.stringify({ site: DOMAIN, url: `https://${DOMAIN}/` }),
  });
  const dropped = answer.headers.get('daybook-dropped');
  if (answer.status !== 202 || dropped !== null) {
    throw new Refusal(`the server did not count the made-up visit: ${answer.status} ${dropped ?? ''}`);
  }
}

/** Asks for statistics each second. The request has a filter, so the threads must read hits, and not only sums. */
export async function lookOn(report: string, token: string): Promise<NodeJS.Timeout> {
  const look = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await send(`${report}?range=7d&filters[country][not]=FR`, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  for (let tries = 1, status = await look(); status !== 200; tries++, status = await look()) {
    // On a busy machine, a thread may still be starting. So the report is requested again.
    if (tries === MOST_TRIES) throw new Refusal(`the server did not answer the report: ${status}`);
    await pause(LOOK_MS);
  }
  return setInterval(() => void look().catch(() => {}), LOOK_MS).unref();
}

/**
 * Sends a request. The server closes a connection that was not used for some time. If this happens while a request is
 * sent, the request fails, and is sent again.
 */
async function send(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (tries === MOST_SENT) throw error;
    }
  }
}

const MOST_SENT = 3;

const LOOK_MS = 1_000;
const MOST_TRIES = 60;
