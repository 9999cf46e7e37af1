// The page parameters of a site. Some websites name a page in the query string, such as /?p=1. A site may list the
// parameters that belong to a page. Then the pages of new hits are stored with these parameters. The form shows as
// which page a typed URL would be stored. Pages that are already stored do not change.
//
// Example: with the parameter p, https://example.com/?p=1&x=2 is stored as /?p=1.
//
// collection.tsx shows `PageParameters`.

import { useState } from 'preact/hooks';
import type { PageParameters as Preview } from '../../api/page-parameters.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { apiPath, changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Actions, Field, Form } from '../ui/form.tsx';
import { useSettled } from '../ui/use-debounced.ts';
import { withParts } from '../ui/with-parts.ts';
import { LostTargets } from './lost-targets.tsx';

const ABOUT: DashboardMessage =
  'Use this for websites whose query string says which page is shown, such as /?p=1. The listed parameters are kept in the URL of the page. All others are removed.';
const HELP: DashboardMessage =
  'One name per line, for example p for WordPress, t for phpBB or title for MediaWiki. Leave the field empty if your URLs have no such parameters.';

export function PageParameters({ site, reload, mayChange }: PartProps) {
  const [typed, type] = useState(site.page_parameters.join('\n'));
  const [url, typeUrl] = useState('');
  const [isSaved, setSaved] = useState(false);
  const names = namesIn(typed);
  const settledUrl = useSettled(url.trim());
  const { data, error } = useData<Preview>(apiPath(site, '/page-parameters'), {
    parameters: useSettled(names.join('\n')),
    ...(settledUrl !== '' && { url: settledUrl }),
  });
  const { parameters: fault, url: urlFault } = error?.fields ?? {};

  const save = async () => {
    await changeSite(site, { page_parameters: names });
    setSaved(true);
    reload();
  };
  return (
    <Block title={t('Page parameters')} about={t(ABOUT)}>
      <Form label={t('Page parameters')} submit={save}>
        <Field label={t('Parameters')} help={t(HELP)} name="page_parameters" error={fault}>
          <textarea
            rows={3}
            value={typed}
            readOnly={!mayChange}
            spellcheck={false}
            autocapitalize="off"
            onInput={(event) => {
              type(event.currentTarget.value);
              setSaved(false);
            }}
          />
        </Field>
        <Field label={t('Try a URL')} error={urlFault}>
          <input
            type="text"
            inputMode="url"
            value={url}
            placeholder={`https://${site.domain}/?p=1`}
            spellcheck={false}
            autocapitalize="off"
            onInput={(event) => typeUrl(event.currentTarget.value)}
          />
        </Field>
        <div class="private-paths-preview" aria-live="polite">
          {data && !error && <PageParametersPreview of={data} />}
        </div>
        {mayChange && (
          <Actions
            verb={t('Save')}
            isDisabled={fault !== undefined}
            done={isSaved ? t('Saved. Now replace the snippet in your pages with the one under General.') : ''}
          />
        )}
      </Form>
    </Block>
  );
}

/** Shows as which page the typed URL would be stored, and which goals and funnel steps would no longer match. */
export function PageParametersPreview({ of: { page, targets } }: { of: Preview }) {
  return (
    <>
      {page !== null && <p>{withParts(t('Stored as {page}'), { page: <code>{page}</code> })}</p>}
      <LostTargets of={targets} />
    </>
  );
}

/** Splits the typed names. No name contains a space or a comma, so spaces and commas may separate names. */
const namesIn = (typed: string): string[] => typed.split(/[\s,]+/).filter((name) => name !== '');
