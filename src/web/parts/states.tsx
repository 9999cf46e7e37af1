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
export function Show<Data>({ of, lines, children }: Props<Data>) {
  const { data, trouble, isOld, again } = of;
  if (trouble) {
    return (
      <div class="trouble" role="alert">
        <p>{trouble.message}</p>
        <button type="button" onClick={again}>
          Try again
        </button>
      </div>
    );
  }
  if (data === undefined) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return (
    <div class={isOld ? 'old' : ''} aria-busy={isOld}>
      {children(data)}
    </div>
  );
}
