// Makes lazy components. Their code is in separate files, so that the first page is small. The browser fetches a file
// when its component is first shown. The style of all lazy components is in one more file (later-style.ts).
//
// After an update of the server, the files have other names. A page that was open before the update then requests a
// missing file. So the page is reloaded once, and gets the new names. If a file is missing again, the page shows an
// error instead.

import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { loadAllTexts } from '../core/texts.ts';
import { FAILED_PAGE, Failed } from './error-boundary.tsx';
import { focusMain, hasMainFocus } from './focus.ts';
import { whenIdle } from './printing.ts';
import { Skeleton } from './skeleton.tsx';

const PAGE = (
  <main id="main">
    <Skeleton lines={8} />
  </main>
);

/**
 * Options of `lazy` for a component that the page can do without. Its code is fetched after all visible parts are
 * loaded. If the code cannot be fetched, nothing is shown.
 */
export const NOTHING = { waiting: null, isOptional: true, isLate: true };

type How = { waiting?: ComponentChild; isOptional?: boolean; isLate?: boolean };

/**
 * Makes a component that shows `waiting` until its code is fetched. With `isLate`, the code is fetched only after all
 * visible parts are loaded.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = PAGE, isOptional = false, isLate = false }: How = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Page, set] = useState(() => loaded);
    const [isFailed, fail] = useState(false);
    const hadFocus = useRef(false);
    useEffect(() => {
      if (Page) {
        // If the placeholder had the focus, the focus moves to the content of the page.
        if (hadFocus.current) focusMain();
        return;
      }
      const loadAll = () => Promise.all([load(), loadAllTexts(), import('./later-style.ts')]);
      (isLate ? whenIdle().then(loadAll) : loadAll()).then(
        ([page]) => {
          loaded = page;
          hadFocus.current = hasMainFocus();
          set(() => page);
        },
        // The source text of `load` contains an import with the name of the file. If the file could not be fetched, the
        // page is reloaded, at most once for each file.
        () => (!isOptional && mayReload(/[\w-]+\.js/.exec(String(load))?.[0] ?? '') ? location.reload() : fail(true)),
      );
    }, [Page]);
    if (isFailed) return isOptional ? null : waiting === PAGE ? FAILED_PAGE : <Failed />;
    return Page ? <Page {...props} /> : waiting;
  };
}

/**
 * Tells whether to reload the page after a file could not be fetched. A file causes at most one reload in a browser
 * session. Otherwise a blocked file would reload the page again and again. If session storage is not available, there
 * is no reload.
 */
function mayReload(file: string): boolean {
  const key = `daybook-reloaded ${file}`;
  try {
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, 'yes');
    return true;
  } catch {
    return false;
  }
}
