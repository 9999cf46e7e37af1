import { inLanguage } from '../lang/sentences.ts';
import type { Problem } from '../lib/errors.ts';
import { type C, wantsPage } from './form.ts';
import { html, page } from './html.ts';
import { browserSay } from './language.ts';

/** The API answers programs only, whatever they say that they accept. */
const isForPrograms = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** What people see where a program gets an error as JSON. Held by test/forms/refused.test.ts. */
export function refusedPage(c: C, { code, status, said, fields, headers }: Problem): Response | undefined {
  if (isForPrograms(c.req.path) || !wantsPage(c)) return undefined;
  const { language, t } = browserSay(c);
  const [title, sentence] =
    code === 'not_found'
      ? [
          t('There is nothing here'),
          t('The address may be mistyped. Or it was a link that works once, or a page that its owner has turned off.'),
        ]
      : [
          t('That did not work'),
          [said, ...Object.values(fields ?? {})].map((one) => inLanguage(one, language)).join(' '),
        ];
  const body = html`<p>${sentence}</p><p><a href="/">${t('Go to the dashboard')}</a></p>`;
  return page({ language, status, title, body, headers });
}
