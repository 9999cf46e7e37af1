// Makes scripts that keep some page parameters. The tracking script removes the query string of a URL before it sends
// the URL. For this reason, it must know which page parameters to keep. The snippet of a site names them in the URL of
// the script: `/day.js?keep=p,t`.
//
// The script has a regular expression with the names of the parameters that it keeps. The response is the script with
// the site's names added to this expression. A URL without `keep` returns the script unchanged, byte for byte. mount.ts
// calls `makeScriptChoice`, and api/sites.ts calls `writeKept`.

import { findNamesFault, MOST_NAMES } from '../classify/page-parameters.ts';
import { packScript, type Script } from '../embedded/script.ts';
import { cached } from '../lib/cache.ts';
import { writeKeptNames } from '../lib/kept-names.ts';

/**
 * Writes a query string such as `?keep=p,t`, which a site's snippet adds to the URL of the script. The brackets of a
 * name such as `tags[]` are escaped, as in any query string.
 */
export const writeKept = (names: readonly string[]): string =>
  names.length === 0 ? '' : `?keep=${names.map(encodeURIComponent).join(',')}`;

/**
 * Makes the function that chooses the script by the query string of its URL. Anyone can request any names. For this
 * reason, scripts are compressed quickly, and only a few of them are cached. With a name that no page parameter can
 * have, or with too many names, the result is the unchanged script.
 */
export function makeScriptChoice(script: Script): (query: string) => Script {
  const withNames = cached((names) => keepInScript(script, names.split(',')), { size: 100 });
  return (query) => {
    const typed = new URLSearchParams(query).get('keep') ?? '';
    const names = typed.split(',');
    const isUsable = typed !== '' && names.length <= MOST_NAMES && findNamesFault(names) === undefined;
    return isUsable ? withNames(typed) : script;
  };
}

/**
 * The beginning of a regular expression in the script. The expression matches the names of the parameters that the
 * script keeps.
 */
const KEPT = '((ref|source|utm_';

function keepInScript({ text }: Script, names: readonly string[]): Script {
  return packScript(
    text.replace(KEPT, () => `((${writeKeptNames(names)}ref|source|utm_`),
    QUICK,
  );
}

/**
 * The level of compression. The best level takes 10 ms, and this level less than 1 ms. With this level, the script is a
 * tenth larger.
 */
const QUICK = 5;
