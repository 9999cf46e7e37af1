import { headOf } from '../../core/filter-names.ts';
import { t } from '../../core/texts.ts';
import type { FilterKey } from '../../core/view.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const FilterForm = lazy(async () => (await import('../later.ts')).FilterForm, {
  waiting: <Skeleton lines={6} />,
});

export function AddFilter() {
  return (
    <Flyout label={t('Add a filter')} title={t('Add a filter')} class="add-filter" buttonClass="filter-bar-button">
      {(close) => <FilterForm onClose={close} />}
    </Flyout>
  );
}

/**
 * Shows the beginning of a filter's sentence, such as "Country is". A click opens the form that changes this filter.
 */
export function ChangeFilter({ of }: { of: FilterKey }) {
  const head = headOf(of);
  return (
    <Flyout
      label={head}
      title={t('Change the filter {filter}', { filter: head })}
      class="add-filter"
      buttonClass="filter-bar-head plain"
    >
      {(close) => <FilterForm of={of} onClose={close} />}
    </Flyout>
  );
}

/**
 * Shows a typed value of a filter, such as "blog" of "Page contains blog". A click opens the form that changes this
 * value.
 */
export function ChangeText({ of, value }: { of: FilterKey; value: string }) {
  return (
    <Flyout
      label={<b>{value}</b>}
      title={t('Change the filter {filter}', { filter: `${headOf(of)} ${value}` })}
      class="add-filter"
      buttonClass="filter-bar-head plain"
    >
      {(close) => <FilterForm of={of} value={value} onClose={close} />}
    </Flyout>
  );
}
