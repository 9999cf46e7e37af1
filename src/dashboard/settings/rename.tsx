// The owner of a site can give it another domain. The form first explains what will change. Reports get a new URL, and pages
// need the new snippet. Hits of the old snippet count for 30 more days. After the change, the settings open under the new URL.
// general.tsx shows `Rename`.

import { useState } from 'preact/hooks';
import { navigate, sitePath } from '../core/address.ts';
import { hostIn } from '../core/parse-url-input.ts';
import { changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Field, FormError, useSubmit } from '../ui/form.tsx';

/** Shows the form for another domain of a site. Only the owner of the site sees it. */
export function Rename({ site }: Pick<PartProps, 'site'>) {
  const [typed, type] = useState(site.domain);
  const { isBusy, error, run } = useSubmit();
  if (site.role !== 'owner') return null;
  const domain = hostIn(typed);
  const isNew = domain !== '' && domain !== site.domain;
  const fault = error?.fields.domain;

  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (!isNew) return;
    void run(async () => {
      const renamed = await changeSite(site, { domain });
      navigate(sitePath(renamed.domain, '/settings/general'), 'replace');
      // The new snippet is at the top of the page.
      scrollTo(0, 0);
    });
  };
  return (
    <Block title={t('Domain')} about={t('Moved to another domain? Rename the site here. Its statistics stay.')}>
      <form class="form" aria-label={t('Domain')} onSubmit={onSubmit}>
        <Field label={t('Domain of the site')} error={fault}>
          <input
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            aria-invalid={fault ? true : undefined}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </Field>
        {isNew && <Consequences from={site.domain} to={domain} />}
        <FormError error={error} fields={['domain']} />
        <div class="form-actions">
          <button type="submit" class={isNew ? 'danger' : ''} disabled={!isNew} aria-disabled={isBusy}>
            {isNew ? t('Rename to {domain}', { domain }) : t('Rename')}
          </button>
        </div>
      </form>
    </Block>
  );
}

function Consequences({ from, to }: { from: string; to: string }) {
  return (
    <div class="rename-consequences">
      <p class="strong">{t('{from} becomes {to}:', { from, to })}</p>
      <ul>
        <li>{t('All statistics stay. Reports and settings get a new URL. Links with the old name stop working.')}</li>
        <li>
          {t('Your pages need the new snippet. Pages with the old one are counted for 30 more days, on both domains.')}
        </li>
        <li>{t('Programs that use the API and public counters need the new name immediately.')}</li>
        <li>{t('For 30 days, nobody else can use {from}. You can rename the site back.', { from })}</li>
      </ul>
    </div>
  );
}
