// The currency of a site, in which its revenue is counted. Managers choose the currency here. If nobody chooses the
// currency, it is the currency of the first revenue. Amounts in other currencies are never converted, so they are not
// added up. This part also shows the call that sends revenue. A viewer sees only the currency. general.tsx shows
// `Currency`.

import { CURRENCIES } from '../../stats/revenue.ts';
import { currencyName } from '../core/format.ts';
import { changeSite, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { useAutosave } from '../ui/autosave.ts';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { SavedField } from '../ui/saved-field.tsx';

export function Currency({ site, reload, mayChange }: PartProps) {
  const save = (currency: string | null) => changeSite(site, { currency }).then(reload);
  const { value, error, status, set } = useAutosave(site.currency, save);
  const about = t('Reports add up the revenue of your orders, for example by source, country and goal.');
  if (!mayChange) {
    return (
      <Block title={t('Revenue')} about={about}>
        <p>
          {site.currency === null
            ? t('No revenue has arrived yet.')
            : t('Currency: {currency}', { currency: nameOf(site.currency) })}
        </p>
      </Block>
    );
  }
  return (
    <Block title={t('Revenue')} about={about}>
      <SavedField
        label={t('Currency')}
        error={error}
        status={status}
        help={
          value === null
            ? t('The first revenue sets the currency. You can also choose it now.')
            : t('Amounts in other currencies are stored, but not added up.')
        }
      >
        <select value={value ?? ''} onChange={({ currentTarget }) => set(currentTarget.value || null)}>
          <option value="">{t('None yet')}</option>
          {CURRENCIES.map((currency) => (
            <option key={currency} value={currency}>
              {nameOf(currency)}
            </option>
          ))}
        </select>
      </SavedField>
      {site.currency === null ? (
        <Call currency="EUR" />
      ) : (
        <details>
          <summary>{t('Send revenue')}</summary>
          <Call currency={site.currency} />
        </details>
      )}
    </Block>
  );
}

const nameOf = (currency: string): string => `${currency} – ${currencyName(currency)}`;

function Call({ currency }: { currency: string }) {
  return (
    <>
      <p>{t('To send revenue, call this function in the page that follows an order, with the amount of the order:')}</p>
      <Copy
        text={`daybook('order', { revenue: { amount: 19.99, currency: '${currency}' } })`}
        label={t('the call that sends revenue')}
      />
    </>
  );
}
