import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from './states.tsx';

/** A page that few look at, whose code is fetched with its first use. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Found, set] = useState(() => known);
    useEffect(() => {
      if (Found) return;
      // After an update the file has another name, which only a new page knows.
      load().then(
        (found) => {
          known = found;
          set(() => found);
        },
        () => location.reload(),
      );
    }, [Found]);
    return Found ? (
      <Found {...props} />
    ) : (
      <main id="main">
        <Skeleton lines={8} />
      </main>
    );
  };
}
