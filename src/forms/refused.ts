import { inLanguage } from '../lang/translated-sentences.ts';
import type { Problem } from '../lib/errors.ts';
import { type C, wantsPage } from './form.ts';
import { html, writePage } from './html.ts';
import { chooseBrowserSay } from './language.ts';

/**
 * Writes the page for an error. Returns undefined if the client is a program, which gets the error as JSON. Tested by
 * test/forms/refused.test.ts.
 */
export function writeRefusedPage(c: C, { code, status, said, fields, headers }: Problem): Response | undefined {
  if (isForPrograms(c.req.path) || !wantsPage(c)) return undefined;
  const { language, t } = chooseBrowserSay(c);
  const [title, sentence] =
    code === 'not_found'
      ? [t('Page not found'), t('Check the URL. Some links work only once, and the owner can turn a page off.')]
      : [
          t('Something went wrong'),
          [said, ...Object.values(fields ?? {})].map((one) => inLanguage(one, language)).join(' '),
        ];
  const body = html`<p>${sentence}</p><p><a href="/">${t('Go to the dashboard')}</a></p>`;
  return writePage({ language, status, title, body, headers });
}

/** True for a path of the API. Errors of the API are JSON, even if the header Accept asks for a page. */
const isForPrograms = (path: string): boolean => path === '/api' || path.startsWith('/api/');
