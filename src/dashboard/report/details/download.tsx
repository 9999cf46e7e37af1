import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Cell } from '../../../lib/csv.ts';
import { t } from '../../core/texts.ts';
import { useSubmit } from '../../ui/form.tsx';
import { csvOf } from './csv.ts';

/** Browsers read the file some time after the click. The URL of the file must be valid until then. */
const REVOKE_AFTER_MS = 60_000;

export const SiteTimeZone = createContext('UTC');

/** The rows are made only when a user downloads the file. */
type Rows = readonly (readonly Cell[])[];

export type CsvFile = { name(timeZone: string): string; rows(): Rows | Promise<Rows> };

export function Download({ file, title }: { file: CsvFile; title: string }) {
  const timeZone = useContext(SiteTimeZone);
  const saving = useSubmit();
  return (
    <button
      type="button"
      class="plain"
      aria-label={t('{title} as CSV', { title })}
      aria-busy={saving.isBusy}
      onClick={() => saving.run(async () => save(file.name(timeZone), csvOf(await file.rows())))}
    >
      {saving.error ? t('Retry CSV') : 'CSV'}
    </button>
  );
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
