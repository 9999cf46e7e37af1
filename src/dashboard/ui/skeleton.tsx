/**
 * Shows grey bars while content is loading. `lines` is about the number of lines that the content will have. With as
 * many bars, the page does not jump when the content arrives.
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
