// The owner of a site can give it another domain. The form first explains what will change. Reports get a new URL, and
// pages need the new snippet. Hits that the old snippet sends count for 30 more days. After the change, the settings
// open under the new URL. general.tsx shows `Rename`.

import { useState } from 'preact/hooks';
import { navigate, sitePath } from '../core/address.ts';
import { hostIn } from '../core/parse-url-input.ts';
import { changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Actions, Field, Form } from '../ui/form.tsx';

/** Shows the form for another domain of a site. Only the owner of the site sees it. */
export function Rename({ site }: Pick<PartProps, 'site'>) {
  const [typed, type] = useState(site.domain);
  if (site.role !== 'owner') return null;
  const domain = hostIn(typed);
  const isNew = domain !== '' && domain !== site.domain;

  const rename = async () => {
    if (!isNew) return;
    const renamed = await changeSite(site, { domain });
    navigate(sitePath(renamed.domain, '/settings/general'), 'replace');
    // The new snippet is at the top of the page, so the page scrolls there.
    scrollTo(0, 0);
  };
  return (
    <Block title={t('Domain')} about={t('Moved to another domain? Rename the site here. Its statistics stay.')}>
      <Form label={t('Domain')} submit={rename}>
        <Field label={t('Site domain')} name="domain">
          <input
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </Field>
        {isNew && <Consequences from={site.domain} to={domain} />}
        <Actions
          verb={isNew ? t('Rename to {domain}', { domain }) : t('Rename')}
          kind={isNew ? 'danger' : ''}
          isDisabled={!isNew}
        />
      </Form>
    </Block>
  );
}

function Consequences({ from, to }: { from: string; to: string }) {
  return (
    <div class="rename-consequences">
      <p class="strong">{t('If you rename {from} to {to}:', { from, to })}</p>
      <ul>
        <li>{t('All statistics stay. Reports and settings get a new URL. Links with the old name stop working.')}</li>
        <li>
          {t(
            'Your pages need the new snippet. For 30 more days, pages with the old snippet are counted on both domains.',
          )}
        </li>
        <li>{t('API programs and public counters need the new name immediately.')}</li>
        <li>{t('For 30 days, nobody else can use {from}. You can rename the site back.', { from })}</li>
      </ul>
    </div>
  );
}
