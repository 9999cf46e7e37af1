// Explains how to serve the script from the site's own domain, under a name that only this site uses. Content blockers
// block scripts of other hosts, and scripts with known names. Nothing is saved on the server.
//
// Invariant: the suggested name depends only on the server's URL, and can be the value of the option --script
// (test/dashboard/settings/snippet.test.tsx).
//
// Example: for https://stats.example.com, the setting may be `--script /linen/ripple`. The web server of example.com
// then forwards /linen/… to daybook, and the snippet has `src="/linen/ripple.js"`. snippet.tsx shows `FirstParty`.

import type { Site } from '../../api/sites.ts';
import { scriptOf } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Copy } from '../ui/copy.tsx';
import { withParts } from '../ui/with-parts.ts';

/**
 * Shows what to do to serve the script from the site's own domain. `snippets` has the snippet, with the options that
 * the user chose. If the site measures web vitals, `snippets` also has the snippet of the script for web vitals.
 */
export function FirstParty({ site, snippets }: { site: Site; snippets: readonly string[] }) {
  const { origin, path } = scriptOf(site);
  const isKnown = path === KNOWN;
  const name = isKnown ? suggestScriptPath(origin) : path;
  const own = snippets.map((snippet) => snippet.replace(`src="${origin}${path}`, `src="${name}`)).join('\n');
  return (
    <details>
      <summary>{t('Serve it from your own domain')}</summary>
      <p>{t('Content blockers may stop scripts of other hosts, and scripts with known names. These steps help:')}</p>
      <ol class="first-party-steps">
        <li>
          {isKnown ? (
            <>
              {t(
                'Give the script a name of its own: start daybook with this option. Snippets with the old name still work.',
              )}
              <Copy text={`--script ${name}`} label={t('the option')} />
            </>
          ) : (
            withParts(t('The script already has a name of its own: {path}.'), { path: <code>{path}</code> })
          )}
        </li>
        <li>
          {withParts(
            t(
              'Set up your web server so that it forwards all paths that begin with {start} to daybook. {file} shows how for nginx, Caddy, Next.js and more.',
            ),
            { start: <code>{findStart(name)}</code>, file: <code>docs/first-party.md</code> },
          )}
        </li>
        <li>
          {t('Then paste this into your pages instead:')}
          <Copy text={own} label={t('the snippet for your own domain')} />
        </li>
      </ol>
    </details>
  );
}

/** The path of the script, without .js, if the server runs without the option --script. */
const KNOWN = '/day';

/**
 * Suggests one of 256 ordinary paths for the script, chosen by the URL of the server. Two servers rarely get the same
 * path, so content blockers have no common name to look for.
 */
export function suggestScriptPath(origin: string): string {
  let hash = 0;
  for (const character of origin) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  const [folder, name] = [hash % FOLDERS.length, Math.floor(hash / FOLDERS.length) % NAMES.length];
  return `/${FOLDERS[folder]}/${NAMES[name]}`;
}

const FOLDERS =
  'amber birch cedar clover coral fern flint hazel linen maple meadow olive pebble river slate willow'.split(' ');
const NAMES =
  'acorn basket candle feather harbor kettle lantern marble orchard paddle quill ripple saddle teapot violin walnut'.split(
    ' ',
  );

/**
 * Finds the beginning of the paths that the web server has to forward. This is the folder of the script, or the
 * script's path without .js if the script is in no folder.
 */
function findStart(path: string): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '/' ? path : folder;
}
