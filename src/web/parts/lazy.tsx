import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { focusMain, hasMainFocus } from './focus.ts';
import { Skeleton } from './skeleton.tsx';

const PAGE = (
  <main id="main">
    <Skeleton lines={8} />
  </main>
);

/** What few people open; its code is fetched when it is first shown, and `waiting` is shown until then. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentChild = PAGE,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Page, set] = useState(() => loaded);
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
        // An update has renamed the file; the reloaded page knows its new name.
        () => location.reload(),
      );
    }, [Page]);
    return Page ? <Page {...props} /> : waiting;
  };
}
