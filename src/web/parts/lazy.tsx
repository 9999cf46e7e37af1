// A lazy component's code is a file of its own, which the browser fetches when the component is first shown. So the first page
// is small. An update of the server renames such files, and an open page then asks for a file that is gone. One reload of the
// page fetches the new names. If the file fails again, the page shows an error instead.

import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { focusMain, hasMainFocus } from './focus.ts';
import { FAILED_PAGE, Failed } from './guard.tsx';
import { Skeleton } from './skeleton.tsx';

const PAGE = (
  <main id="main">
    <Skeleton lines={8} />
  </main>
);

/** Options for a component that a page can do without. If its code cannot be fetched, nothing is shown. */
export const NOTHING = { waiting: null, isOptional: true };

type How = { waiting?: ComponentChild; isOptional?: boolean };

/** Makes a component whose code is fetched when it is first shown. Until then, `waiting` is shown. */
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
        // The element that had the focus is gone now, with the placeholder.
        if (hadFocus.current) focusMain();
        return;
      }
      load().then(
        (page) => {
          loaded = page;
          hadFocus.current = hasMainFocus();
          set(() => page);
        },
        // The text of the function contains the name of the file that it imports.
        () => (!isOptional && mayReload(String(load)) ? location.reload() : fail(true)),
      );
    }, [Page]);
    if (isFailed) return isOptional ? null : waiting === PAGE ? FAILED_PAGE : <Failed />;
    return Page ? <Page {...props} /> : waiting;
  };
}

/**
 * Whether to reload the page because this file could not be fetched. A file causes at most one reload in a session of
 * the browser. Otherwise a blocked file would reload the page for ever. Without session storage there is no reload.
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
