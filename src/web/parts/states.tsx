import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api.ts';

/** Bars in place of what is to come, of the height that it will have. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}

/** Says that there is nothing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

type Props<Data> = { of: Loaded<Data>; lines?: number; children(data: Data): ComponentChildren };

/** Shows what was asked for once it is there, before that its outline, and what went wrong with a way to try again. */
export function Answer<Data>({ of, lines, children }: Props<Data>) {
  const { data, error, isStale, reload } = of;
  if (error) {
    return (
      <div class="trouble" role="alert">
        <p>{error.message}</p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    );
  }
  if (data === undefined) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return (
    <div class={isStale ? 'old' : ''} aria-busy={isStale}>
      {children(data)}
    </div>
  );
}
