import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
    useEffect(() => {
      if (Page) return;
      load().then(
        (page) => {
          loaded = page;
          set(() => page);
        },
        // An update has renamed the file; the reloaded page knows its new name.
        () => location.reload(),
      );
    }, [Page]);
    return Page ? <Page {...props} /> : waiting;
  };
}
