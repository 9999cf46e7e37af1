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

/**
 * An update renames files, and a reloaded page knows their new names. One reload for each file is enough to find out: a file that
 * is blocked would reload the page for ever. Where nothing can be remembered there is none.
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

/** For what a page can do without: nothing is shown where its code cannot be fetched. */
export const NOTHING = { waiting: null, isOptional: true };

type How = { waiting?: ComponentChild; isOptional?: boolean };

/** What few people open; its code is fetched when it is first shown, and `waiting` is shown until then. */
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
        // What had the focus while its code was fetched is gone.
        if (hadFocus.current) focusMain();
        return;
      }
      load().then(
        (page) => {
          loaded = page;
          hadFocus.current = hasMainFocus();
          set(() => page);
        },
        // Its text has the name of the file.
        () => (!isOptional && mayReload(String(load)) ? location.reload() : fail(true)),
      );
    }, [Page]);
    if (isFailed) return isOptional ? null : waiting === PAGE ? FAILED_PAGE : <Failed />;
    return Page ? <Page {...props} /> : waiting;
  };
}
