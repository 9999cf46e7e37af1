import type { Cell } from '../../../lib/csv.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { useSubmit } from '../../ui/form.tsx';
import { csvOf, fileName, type Span } from './csv.ts';

/** How long the URL of the file stays valid. A browser may read the file some time after the click. */
const REVOKE_AFTER_MS = 60_000;

type Rows = readonly (readonly Cell[])[];

export type CsvFile = { name: string; span: Span; rows(): Rows | Promise<Rows> };

export function Download({ file, title }: { file: CsvFile; title: string }) {
  const scope = useScope();
  const { domain, timeZone = 'UTC' } = scope.kind === 'site' ? scope : { domain: 'all-sites' };
  const saving = useSubmit();
  const write = async () => save(fileName(domain, file.name, file.span, timeZone), csvOf(await file.rows()));
  return (
    <button
      type="button"
      class="plain"
      aria-label={t('Download {title} as CSV', { title })}
      aria-busy={saving.isBusy}
      onClick={() => saving.run(write)}
    >
      {saving.error ? t('Try the CSV again') : 'CSV'}
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
