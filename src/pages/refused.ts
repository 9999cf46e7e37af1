import type { Problem } from '../lib/errors.ts';
import { type C, wantsPage } from './form.ts';
import { html, page } from './html.ts';

/** The API answers programs only, whatever they say that they accept. */
const isForPrograms = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** What people see where a program gets an error as JSON. Held by test/pages/refused.test.ts. */
export function refusedPage(c: C, { code, status, message, headers }: Problem): Response | undefined {
  if (isForPrograms(c.req.path) || !wantsPage(c)) return undefined;
  const home = html`<p><a href="/">Go to the dashboard</a></p>`;
  return code === 'not_found'
    ? page(
        status,
        'There is nothing here',
        html`<p>The address may be mistyped. Or it was a link that works once, or a page that its owner has turned off.</p>${home}`,
        headers,
      )
    : page(status, 'That did not work', html`<p>${message}</p>${home}`, headers);
}
