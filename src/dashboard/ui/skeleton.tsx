/**
 * Shows grey bars while content is loading. With `lines`, they are about as tall as the content, so that the page does
 * not jump.
 */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}
