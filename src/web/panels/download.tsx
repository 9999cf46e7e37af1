import type { Cell } from '../../lib/csv.ts';
import { csvOf } from './csv.ts';

/** How long the browser may take to begin with saving. */
const PATIENCE_MS = 60_000;

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), PATIENCE_MS);
}

export type File = { name: string; rows(): readonly (readonly Cell[])[] };

export function Download({ of, title }: { of: File; title: string }) {
  return (
    <button type="button" class="plain" aria-label={`${title} as CSV`} onClick={() => save(of.name, csvOf(of.rows()))}>
      CSV
    </button>
  );
}
