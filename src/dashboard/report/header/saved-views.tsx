// A saved view is a name for a range with filters and tabs. All users of the site can open it. Managers can add and remove
// views. The stored view is the text behind ? in the URL of the page.
//
// Example: "Campaign in Germany" is `range=12m&utm_campaign=spring&country=DE`.
//
// site-header.tsx shows `SavedViews`.

import { useRef, useState } from 'preact/hooks';
import type { SavedView } from '../../../api/views.ts';
import { searchOf, sitePath } from '../../core/address.ts';
import { send, useData } from '../../core/api.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { Field, FormError, useSubmit } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Answer } from '../../ui/loaded.tsx';

type Props = { domain: string; view: View; mayChange: boolean };

export function SavedViews(props: Props) {
  return (
    <Flyout label={t('Saved views')} title={t('Saved views')} class="saved-views" buttonClass="filter-bar-button">
      {() => <Views {...props} />}
    </Flyout>
  );
}

/**
 * The text behind ? in the URL of a view. The parameter `live` is left out, because it opens a dialog that is not part of the
 * view.
 */
const queryOf = ({ more: { live: _, ...more }, ...view }: View): string => searchOf({ ...view, more }).slice(1);

function Views({ domain, view, mayChange }: Props) {
  const path = sitePath(domain, '/views');
  const views = useData<SavedView[]>(path);
  const { isBusy, error, run } = useSubmit();
  const [name, setName] = useState('');
  const query = queryOf(view);
  const field = useRef<HTMLInputElement>(null);
  const save = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      await send('POST', path, { name, query });
      setName('');
      views.reload();
    });
  };
  const remove = (id: number) =>
    run(async () => {
      await send('DELETE', `${path}/${id}`);
      // The button had the focus and disappears. So the field gets the focus.
      field.current?.focus();
      views.reload();
    });
  return (
    <>
      <Answer of={views} lines={2}>
        {(list) => (
          <ul class="saved-views-list">
            {list.map((one) => (
              <li key={one.id}>
                <Link href={sitePath(domain, one.query === '' ? '' : `?${one.query}`)} current={one.query === query}>
                  {one.name}
                </Link>
                {mayChange && (
                  <button
                    type="button"
                    class="icon"
                    aria-label={t('Remove the view {name}', { name: one.name })}
                    onClick={() => void remove(one.id)}
                  >
                    ×
                  </button>
                )}
              </li>
            ))}
            {list.length === 0 && <li class="soft">{t('No saved views yet.')}</li>}
          </ul>
        )}
      </Answer>
      {mayChange && (
        <form class="form" onSubmit={save}>
          <Field label={t('Save this view as')} error={error?.fields.name}>
            <input
              ref={field}
              data-focus
              required
              maxLength={100}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </Field>
          <FormError error={error} fields={['name']} />
          <button type="submit" aria-disabled={isBusy}>
            {t('Save')}
          </button>
        </form>
      )}
    </>
  );
}
