import type { ComponentChildren } from 'preact';
import type { Loaded } from '../core/api.ts';
import { refresh } from '../core/refresh.ts';
import { t } from '../core/texts.ts';
import { Notices } from './notices.tsx';
import { Skeleton } from './skeleton.tsx';

type Props<Data> = { of: Loaded<Data>; lines?: number; children(data: Data): ComponentChildren };

/**
 * Shows an answer with its notices. While the answer is loading, it shows grey bars. After an error, a button refreshes the data
 * of the page.
 */
export function Answer<Data extends object>({ of, lines, children }: Props<Data>) {
  const { data, error, isStale } = of;
  if (error) {
    return (
      <div class="message" role="alert">
        <p>{error.message}</p>
        <button type="button" onClick={() => void refresh()}>
          {t('Try again')}
        </button>
      </div>
    );
  }
  if (data === undefined) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return (
    <div class={isStale ? 'is-stale' : ''} aria-busy={isStale}>
      <Notices of={[data]} />
      {children(data)}
    </div>
  );
}
