// The snippet is the line of HTML that a site pastes into its pages. The line loads the tracking script (src/tracker/day.ts).
// Checkboxes add attributes to the snippet, such as `data-outbound`. Checkboxes change only the shown text. Nothing is saved on the
// server.
// general.tsx shows `Snippet`.

import { useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { scriptOf } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Field } from '../ui/form.tsx';

const OPTIONS: { name: string; label: DashboardMessage; help: DashboardMessage }[] = [
  { name: 'data-outbound', label: 'Links to elsewhere', help: 'Clicks on them become events named Outbound link.' },
  { name: 'data-downloads', label: 'Downloads', help: 'Clicks on files become events named Download.' },
  { name: 'data-hash', label: 'Pages after #', help: 'For apps whose pages differ only in what follows #/ or #!.' },
  {
    name: 'data-respect-dnt',
    label: 'Respect Do Not Track',
    help: 'Whoever sends it, or Global Privacy Control, is not counted.',
  },
  { name: 'data-local', label: 'Count on localhost too', help: 'For trying things out with a site named localhost.' },
];

const PLACES: { where: DashboardMessage; how: DashboardMessage }[] = [
  { where: 'Pages written by hand', how: 'Into the head of each page, before </head>.' },
  {
    where: 'Hugo, Jekyll, Astro, Eleventy',
    how: 'Into the layout that all pages share, such as layouts/partials/head.html, _includes/head.html or src/layouts/.',
  },
  {
    where: 'WordPress',
    how: 'Into header.php of your theme, before </head>, or with a plugin that adds code to the header of every page.',
  },
  {
    where: 'Next.js, Nuxt, SvelteKit, React, Vue',
    how: 'Into the outermost layout or index.html. Going from page to page within the app is counted by itself.',
  },
  {
    where: 'Ghost, Shopify, Squarespace, Webflow, Wix',
    how: 'Into the setting called code injection or custom code, for the header of all pages.',
  },
];

export function Snippet({ site }: { site: Site }) {
  const [chosen, choose] = useState<readonly string[]>([]);
  const { origin, path } = scriptOf(site);
  const snippet = withAttributes(site.snippet, chosen);
  const pixel = `<img src="${origin}${path}.gif?site=${site.domain}&url=https://${site.domain}/page" alt="">`;
  return (
    <Block
      title={t('Snippet')}
      about={t('Paste this into every page of {domain}. Visits are counted from then on.', { domain: site.domain })}
    >
      <Copy text={snippet} label={t('the snippet')} />
      <details>
        <summary>{t('Count more, or less')}</summary>
        <div class="switch-list">
          {OPTIONS.filter(({ name }) => !site.snippet.includes(` ${name}`)).map(({ name, label, help }) => (
            <Field key={name} label={t(label)} help={t(help)}>
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
                }
              />
            </Field>
          ))}
        </div>
        <p class="soft">
          {t('These change the snippet above. Copy it again, and paste it in place of the one before.')}
        </p>
      </details>
      <details>
        <summary>{t('Missing pages')}</summary>
        <p>
          {t(
            'On the one page that your server shows for what is not there, paste this in place of the snippet above. Each time it is shown, an event named 404 counts with the path.',
          )}
        </p>
        <Copy text={withAttributes(snippet, ['data-404'])} label={t('the snippet for the error page')} />
      </details>
      <details>
        <summary>{t('Where it goes')}</summary>
        <dl>
          {PLACES.map(({ where, how }) => (
            <div key={where}>
              <dt>{t(where)}</dt>
              <dd>{t(how)}</dd>
            </div>
          ))}
        </dl>
        <p>{t('Where no script may run, this picture counts a view of the page that it names:')}</p>
        <Copy text={pixel} label={t('the picture')} />
      </details>
    </Block>
  );
}

const withAttributes = (snippet: string, names: readonly string[]): string =>
  snippet.replace('></script>', `${names.map((name) => ` ${name}`).join('')}></script>`);
