import { inLanguage } from '../lang/sentences.ts';
import type { Problem } from '../lib/errors.ts';
import { type C, wantsPage } from './form.ts';
import { html, writePage } from './html.ts';
import { chooseBrowserSay } from './language.ts';

/**
 * Writes the page that a person sees for an error. Undefined if the client is a program, which gets the error as JSON.
 * Tested by test/forms/refused.test.ts.
 */
export function writeRefusedPage(c: C, { code, status, said, fields, headers }: Problem): Response | undefined {
  if (isForPrograms(c.req.path) || !wantsPage(c)) return undefined;
  const { language, t } = chooseBrowserSay(c);
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
  return writePage({ language, status, title, body, headers });
}

/** Whether only programs use a path. Such a path never answers with a page, even if the header Accept asks for one. */
const isForPrograms = (path: string): boolean => path === '/api' || path.startsWith('/api/');
