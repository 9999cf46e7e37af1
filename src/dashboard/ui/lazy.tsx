// The code of a lazy component is in a separate file. The browser fetches this file when the component is first shown. So the
// first page is small. An update of the server renames the files, and a page that was open before then asks for a missing
// file. So the page is reloaded once, and gets the new names. If the file fails again, the page shows an error instead.

import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FAILED_PAGE, Failed } from './error-boundary.tsx';
import { focusMain, hasMainFocus } from './focus.ts';
import { Skeleton } from './skeleton.tsx';

const PAGE = (
  <main id="main">
    <Skeleton lines={8} />
  </main>
);

/** For a component that the page does not need. If the code of the component cannot be fetched, nothing is shown. */
export const NOTHING = { waiting: null, isOptional: true };

type How = { waiting?: ComponentChild; isOptional?: boolean };

/** Shows `waiting` until the code of the component is fetched. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = PAGE, isOptional = false }: How = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Page, set] = useState(() => loaded);
    const [isFailed, fail] = useState(false);
    const hadFocus = useRef(false);
    useEffect(() => {
      if (Page) {
        // The placeholder had the focus and was removed. So the focus moves to the content of the page.
        if (hadFocus.current) focusMain();
        return;
      }
      load().then(
        (page) => {
          loaded = page;
          hadFocus.current = hasMainFocus();
          set(() => page);
        },
        // The source text of `load` contains the name of the file that could not be fetched. The page is reloaded once
        // for each such file.
        () => (!isOptional && mayReload(String(load)) ? location.reload() : fail(true)),
      );
    }, [Page]);
    if (isFailed) return isOptional ? null : waiting === PAGE ? FAILED_PAGE : <Failed />;
    return Page ? <Page {...props} /> : waiting;
  };
}

/**
 * Whether to reload the page after this file could not be fetched. A file causes at most one reload in a browser session.
 * Otherwise a blocked file would reload the page for ever. If session storage is not available, the page is not reloaded.
 */
function mayReload(file: string): boolean {
  const mark = `daybook-reloaded ${file}`;
  try {
    if (sessionStorage.getItem(mark)) return false;
    sessionStorage.setItem(mark, 'yes');
    return true;
  } catch {
    return false;
  }
}
