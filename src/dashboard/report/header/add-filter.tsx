import { headOf } from '../../core/filter-names.ts';
import { t } from '../../core/texts.ts';
import type { FilterKey, View } from '../../core/view.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const FilterForm = lazy(async () => (await import('./filter-form.tsx')).FilterForm, {
  waiting: <Skeleton lines={6} />,
});

type Props = { domain: string | undefined; view: View };

export function AddFilter({ domain, view }: Props) {
  return (
    <Flyout label={t('Add a filter')} title={t('Add a filter')} class="add-filter" buttonClass="filter-bar-button">
      {(close) => <FilterForm domain={domain} view={view} onClose={close} />}
    </Flyout>
  );
}

/** Shows the beginning of a filter's sentence, such as "Country is". A click opens the form that changes the filter. */
export function ChangeFilter({ domain, view, of }: Props & { of: FilterKey }) {
  const head = headOf(of);
  return (
    <Flyout
      label={head}
      title={t('Change the filter {filter}', { filter: head })}
      class="add-filter"
      buttonClass="filter-bar-head plain"
    >
      {(close) => <FilterForm domain={domain} view={view} of={of} onClose={close} />}
    </Flyout>
  );
}
