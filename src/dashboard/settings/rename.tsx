// The form with which the owner gives a site another domain. First, the server says what will change: the new snippet,
// and until when hits of the former domain count. The server also says what will still have the former domain, such as
// receipts. Then the owner types the present domain, and only after that the button renames. After the change, the
// settings open under the new URL. general.tsx shows `Rename`.

import { useState } from 'preact/hooks';
import type { RenamingPreview } from '../../api/renaming.ts';
import { navigate, sitePath } from '../core/address.ts';
import { get } from '../core/api.ts';
import { day } from '../core/format.ts';
import { hostIn } from '../core/parse-url-input.ts';
import { apiPath, changeSite, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Actions, Field, Form } from '../ui/form.tsx';
import { Consequences } from './consequences.tsx';
import { isDomainTyped, TypedDomain } from './typed-domain.tsx';

/** Shows the form for another domain of a site. Only the owner of the site sees it. */
export function Rename({ site }: Pick<PartProps, 'site'>) {
  const [typed, type] = useState(site.domain);
  const [confirmed, confirm] = useState('');
  const [preview, setPreview] = useState<RenamingPreview>();
  if (site.role !== 'owner') return null;
  const domain = hostIn(typed);
  const isNew = domain !== '' && domain !== site.domain;

  const look = async () => {
    if (isNew) setPreview(await get<RenamingPreview>(apiPath(site, '/domain'), { domain }));
  };
  const rename = async () => {
    if (!isDomainTyped(site, confirmed)) return;
    const renamed = await changeSite(site, { domain });
    navigate(sitePath(renamed.domain, '/settings/general'), 'replace');
    // The new snippet is at the top of the page, so the page scrolls there.
    scrollTo(0, 0);
  };
  const change = (text: string) => {
    type(text);
    confirm('');
    setPreview(undefined);
  };
  return (
    <Block title={t('Domain')} about={t('Moved to another domain? Rename the site here. Its statistics stay.')}>
      <Form label={t('Domain')} submit={preview ? rename : look}>
        <Field label={t('Site domain')} name="domain">
          <input
            value={typed}
            onInput={(event) => change(event.currentTarget.value)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </Field>
        {preview && (
          <>
            <Renaming of={preview} />
            <TypedDomain site={site} typed={confirmed} type={confirm} takesFocus />
          </>
        )}
        <Actions
          verb={preview ? t('Rename to {domain}', { domain: preview.domain }) : t('Preview')}
          kind={preview ? 'danger' : ''}
          isDisabled={preview ? !isDomainTyped(site, confirmed) : !isNew}
        />
      </Form>
    </Block>
  );
}

function Renaming({ of }: { of: RenamingPreview }) {
  const { former_domain: from, domain: to, shares, receipts } = of;
  const until = day(of.former_until.slice(0, 10));
  const snippet = [of.snippet, of.vitals_snippet ?? ''].filter(Boolean).join('\n');
  return (
    <Consequences title={t('If you rename {from} to {to}:', { from, to })}>
      <ul>
        <li>{t('All statistics stay. Reports and settings get a new URL. Links with the old name stop working.')}</li>
        <li>
          {t('Your pages need the new snippet. The old one counts until {day}, on both domains.', { day: until })}
          <Copy text={snippet} label={t('the new snippet')} />
        </li>
        <li>{t('Until {day}, nobody else can use {from}. You can rename the site back.', { day: until, from })}</li>
        {shares > 0 && (
          <li>{plural(shares, '{count} share link keeps its URL.', '{count} share links keep their URLs.')}</li>
        )}
        {receipts > 0 && (
          <li>
            {plural(
              receipts,
              '{count} receipt keeps the name {from}. New ones get the new name.',
              '{count} receipts keep the name {from}. New ones get the new name.',
              { from },
            )}
          </li>
        )}
        <li>
          {of.public_live
            ? t('By hand, you change the name in API programs, in the URL of the public counter, and in commands.')
            : t('By hand, you change the name in API programs and in commands.')}
        </li>
      </ul>
    </Consequences>
  );
}
