// The HTML page of a site contains the answers of the API that its script needs first. So the browser need not request
// these answers. The answers are settings of the site that are read quickly, such as its goals. The figures of a report
// are left out, because the page would have to wait for them.
//
// Invariant: an answer in the page equals the `data` that the API would send to this person. If the API refuses a
// request, or if its answer is too long, the page lacks the answer. Then the script sends the request.
//
// Example: the page of example.com has `{"/api/v1/sites/example.com/goals": [{"id": 1, …}], …}`.

import type { Hono } from 'hono';
import { BASE, type Env } from '../lib/http/paths.ts';
import type { C } from './form.ts';

/**
 * The page contains the API's answers for these paths. The path of the site stands before each of them, such as
 * /api/v1/sites/example.com.
 */
const PATHS = ['', '/goals', '/notes', '/exclusions'];

/** The longest answer that the page contains. A longer one would delay the page, so the script requests it later. */
const MOST_CHARACTERS = 16_000;

/** Makes a function that asks the API, either for the page's user or with the secret of a share link. */
export function makeAskApi(app: Hono<Env>, c: C, authorization?: string): (path: string) => Promise<Response> {
  const headers = { ...c.env.incoming.headers, ...(authorization ? { authorization } : {}) };
  // The API notes its route, such as /sites/:domain, in its request object. The metrics read the route from the page's
  // object. So the API gets a copy of that object. Otherwise, the page would be counted under the route of the API.
  const incoming = Object.create(c.env.incoming, { headers: { value: headers } });
  return async (path) => app.request(path, undefined, { ...c.env, incoming });
}

/**
 * Returns the first answers. The key of an answer is the path of its request. `authorization` is a header with the
 * secret of a share link. Without this header, the API answers the signed-in user.
 */
export async function findFirstAnswers(
  app: Hono<Env>,
  c: C,
  domain: string,
  authorization?: string,
): Promise<Record<string, unknown>> {
  const askApi = makeAskApi(app, c, authorization);
  const ask = async (path: string): Promise<[string, unknown][]> => {
    const answer = await askApi(path);
    const text = await answer.text();
    return answer.ok && text.length <= MOST_CHARACTERS ? [[path, JSON.parse(text).data]] : [];
  };
  const site = `${BASE}/sites/${encodeURIComponent(domain)}`;
  return Object.fromEntries((await Promise.all(PATHS.map((rest) => ask(site + rest)))).flat());
}
