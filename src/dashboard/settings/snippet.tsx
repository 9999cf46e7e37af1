// The snippet, which is the line of HTML that a site pastes into its pages. It loads the tracking script
// (src/tracker/day.ts). Checkboxes add attributes to the snippet, such as `data-outbound`. A checkbox changes only the
// shown text, and nothing is saved on the server. general.tsx shows `Snippet`. pages/welcome.tsx shows only
// `SnippetLine`.

import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { scriptOf } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Field } from '../ui/form.tsx';
import { withParts } from '../ui/with-parts.ts';
import { FirstParty } from './first-party.tsx';
import { writeForTagManager } from './tag-manager.ts';

const OPTIONS: { name: string; label: DashboardMessage; help: DashboardMessage }[] = [
  {
    name: 'data-outbound',
    label: 'Outbound links',
    help: 'Counts clicks on links to other websites as events named Outbound link.',
  },
  { name: 'data-downloads', label: 'Downloads', help: 'Counts clicks on files as events named Download.' },
  { name: 'data-hash', label: 'URLs with #', help: 'For apps that change only the part of the URL after #/ or #!.' },
  {
    name: 'data-respect-dnt',
    label: 'Respect Do Not Track',
    help: 'Ignores visitors that send Do Not Track or Global Privacy Control.',
  },
  {
    name: 'data-local',
    label: 'Automated browsers',
    help: 'Counts browsers that a program controls. Use it for tests.',
  },
];

/** The options of the snippet that the script for web vitals also has. */
const FOR_VITALS = ['data-hash', 'data-respect-dnt', 'data-local'];

const PLACES: { where: DashboardMessage; how: DashboardMessage }[] = [
  { where: 'Static HTML', how: 'Paste the snippet into the head of each page, before </head>.' },
  {
    where: 'Hugo, Jekyll, Astro, Eleventy',
    how: 'Paste the snippet into the layout that all pages share, such as layouts/partials/head.html, _includes/head.html or src/layouts/.',
  },
  {
    where: 'Docusaurus, VitePress',
    how: 'Add the script to the configuration: to scripts in docusaurus.config.js, or to head in .vitepress/config.',
  },
  {
    where: 'WordPress',
    how: 'Install the plugin from the folder integrations/wordpress of daybook. Or paste the snippet into header.php of your theme, before </head>.',
  },
  {
    where: 'Next.js, Nuxt, SvelteKit, React, Vue',
    how: 'Paste the snippet into the root layout or index.html. Page changes within the app are counted automatically.',
  },
  {
    where: 'Ghost, Shopify, Squarespace, Webflow, Wix',
    how: 'Paste the snippet into the setting for custom code or code injection, for the header of all pages.',
  },
];

export function Snippet({ site }: { site: Site }) {
  const [chosen, choose] = useState<readonly string[]>([]);
  const { origin, path } = scriptOf(site);
  const snippet = withAttributes(site.snippet, chosen);
  const chosenForVitals = chosen.filter((name) => FOR_VITALS.includes(name));
  const vitals = site.vitals_snippet === null ? [] : [withAttributes(site.vitals_snippet, chosenForVitals)];
  const pixel = `<img src="${origin}${path}.gif?site=${site.domain}&url=https://${site.domain}/page" alt="">`;
  return (
    <Block
      title={t('Snippet')}
      about={t('Paste this into every page of {domain}. daybook then counts its visits.', { domain: site.domain })}
    >
      <SnippetLine site={site} snippet={snippet} />
      {vitals.map((text) => (
        <Fragment key={text}>
          <p>{t('Paste this line below the first one. It measures how fast your pages are.')}</p>
          <Copy text={text} label={t('the second snippet')} />
        </Fragment>
      ))}
      <details>
        <summary>{t('Options')}</summary>
        <div class="switch-list">
          {OPTIONS.map(({ name, label, help }) => (
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
        <p class="soft">{t('Options change the snippet above. Copy it again and replace the old one.')}</p>
      </details>
      <details>
        <summary>{t('Count 404 pages')}</summary>
        <p>{t('On your 404 page, use this snippet instead. It counts an event named 404 with the path.')}</p>
        <Copy text={withAttributes(snippet, ['data-404'])} label={t('the snippet for the 404 page')} />
      </details>
      <details>
        <summary>{t('Where to paste it')}</summary>
        <dl>
          {PLACES.map(({ where, how }) => (
            <div key={where}>
              <dt>{t(where)}</dt>
              <dd>{t(how)}</dd>
            </div>
          ))}
        </dl>
        <p>
          {withParts(t('{file} has the exact steps for each of these programs.'), {
            file: <code>docs/snippets.md</code>,
          })}
        </p>
        <p>{t('In Google Tag Manager, add a Custom HTML tag with this code. Tag Manager would change the snippet.')}</p>
        <Copy text={writeForTagManager(snippet)} label={t('the code for Google Tag Manager')} />
        <p>{t('If scripts are not allowed, use this image. It counts a pageview of the page in its URL:')}</p>
        <Copy text={pixel} label={t('the image')} />
      </details>
      <FirstParty site={site} snippets={[snippet, ...vitals]} />
    </Block>
  );
}

/**
 * Shows the snippet with a button that copies it. If the URL in the snippet works only on this machine, such as
 * http://localhost, a warning says what to do. A site that is itself on this machine gets no warning.
 */
export function SnippetLine({ site, snippet }: { site: Site; snippet: string }) {
  const { origin } = scriptOf(site);
  return (
    <>
      <Copy text={snippet} label={t('the snippet')} />
      {isOnlyHere(origin) && !isOnlyHere(`http://${site.domain}`) && (
        <p class="bad">
          {withParts(t('{origin} works only on this machine. Start daybook with {option} and its public URL first.'), {
            origin: <code>{origin}</code>,
            option: <code class="unbroken">--base-url</code>,
          })}
        </p>
      )}
    </>
  );
}

const isOnlyHere = (origin: string): boolean =>
  /^(127\.\d+\.\d+\.\d+$|\[::1\]$|(.*\.)?(localhost|local)$)/.test(new URL(origin).hostname);

const withAttributes = (snippet: string, names: readonly string[]): string =>
  snippet.replace('></script>', `${names.map((name) => ` ${name}`).join('')}></script>`);
