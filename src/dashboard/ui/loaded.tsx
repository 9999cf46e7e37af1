import type { ComponentChildren } from 'preact';
import type { Loaded } from '../core/api.ts';
import { useNow } from '../core/clock.ts';
import { refresh } from '../core/refresh.ts';
import { t } from '../core/texts.ts';
import { Notices } from './notices.tsx';
import { Skeleton } from './skeleton.tsx';

type Props<Data> = { of: Loaded<Data>; lines?: number; children(data: Data): ComponentChildren };

/**
 * Shows an answer of the API with its notices. While the answer is loading, grey bars are shown. After an error, a
 * button requests all data of the page again. If the server cannot be reached, the frame of the page says this once
 * (not-refreshed.tsx), and not each part.
 */
export function Answer<Data extends object>({ of, lines, children }: Props<Data>) {
  const { data, error, isStale } = of;
  const now = useNow();
  if (error?.isUnreachable) return <p class="message">{t('Not loaded')}</p>;
  if (error) {
    return (
      <div class="message" role="alert">
        <p>{error.message}</p>
        <button type="button" onClick={() => void refresh(now)}>
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
