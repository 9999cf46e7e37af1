// The form of verify.html. The form asks where the receipts are. An export, and the hash of a receipt that somebody
// saved earlier, are optional. The receipts are compared with these two.
//
// A page that was opened from a file cannot ask a server. So the form then has no field for a site. The URL may name a
// site and a share link after #, such as /verify.html#site=example.com&share=abc. Then the fields of the form have
// these values at first.
//
// main.ts shows the form again when another language is chosen.

import { element } from './element.ts';
import type { Source } from './source.ts';
import type { Message, PageTexts } from './texts.ts';

export type Asked = Source & { export: File | undefined; hash: string };

export type Filled = { site: string; share: string };

export const readLink = (hash: string): Filled => {
  const given = new URLSearchParams(hash.slice(1));
  return { site: given.get('site') ?? '', share: given.get('share') ?? '' };
};

export function makeForm(
  { t }: PageTexts,
  { site, share, hasServer, check }: Filled & { hasServer: boolean; check: (asked: Asked) => Promise<void> },
): HTMLFormElement {
  const label = (text: Message, input: HTMLElement, help?: Message) =>
    element('label', {}, t(text), help && element('small', {}, t(help)), input);
  const receipts = element('input', { type: 'file', accept: '.json,application/json' });
  const pasted = element('textarea', { rows: 3, spellcheck: false });
  const siteName = element('input', { type: 'text', value: site, autocapitalize: 'none', spellcheck: false });
  const slug = element('input', { type: 'text', value: share, autocapitalize: 'none', spellcheck: false });
  const hits = element('input', { type: 'file', accept: '.ndjson,.csv,.jsonl,.txt' });
  const hash = element('input', { type: 'text', autocapitalize: 'none', spellcheck: false });
  const button = element('button', { type: 'submit' }, t('Check'));
  const read = (): Asked => ({
    ...{ file: receipts.files?.[0], text: pasted.value, site: siteName.value.trim(), share: slug.value.trim() },
    ...{ export: hits.files?.[0], hash: hash.value.trim().toLowerCase() },
  });
  const form = element(
    'form',
    { noValidate: true },
    element(
      'fieldset',
      {},
      element('legend', {}, t('Receipts')),
      label('A file with receipts', receipts),
      label('Or the text of receipts', pasted),
      hasServer ? label('Or the domain of a site on this server', siteName) : undefined,
      hasServer ? label('Last part of a share link, if you are not signed in', slug) : undefined,
    ),
    element(
      'fieldset',
      {},
      element('legend', {}, t('Compare with (optional)')),
      label('An export of all hits', hits, 'As ndjson or CSV. The file stays on your computer.'),
      label('The hash of a receipt that you saved', hash),
    ),
    button,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    void check(read()).finally(() => {
      button.disabled = false;
    });
  });
  return form;
}
