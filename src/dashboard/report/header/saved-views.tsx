// The saved views of a site. A saved view is a name for a range, filters and open tabs. All users of the site can open
// it. Managers and the owner can add and remove views. The stored text is the part of the page's URL after the ?.
//
// Example: "Campaign in Germany" is `range=12m&utm_campaign=spring&country=DE`.
//
// site-header.tsx shows `SavedViews`.

import { useRef, useState } from 'preact/hooks';
import type { SavedView } from '../../../api/views.ts';
import { NO_WHY, searchOf, sitePath, viewOf } from '../../core/address.ts';
import { send, useData } from '../../core/api.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { Actions, Field, Form, FormError, useSubmit } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Answer } from '../../ui/loaded.tsx';

export function SavedViews() {
  return (
    <Flyout label={t('Saved views')} title={t('Saved views')} class="saved-views" buttonClass="filter-bar-button">
      {() => <Views />}
    </Flyout>
  );
}

/**
 * Writes the part of the URL after the ?, without `live` and `why`. A saved view does not say whether the dialog of
 * current visitors or the dialog "Why?" is open.
 */
const queryOf = (view: View): string => searchOf({ ...view, ...NO_WHY, live: false }).slice(1);

function Views() {
  const { domain, view, mayChange } = useSiteScope();
  const path = sitePath(domain, '/views');
  const views = useData<SavedView[]>(path);
  const removal = useSubmit();
  const [name, setName] = useState('');
  const query = queryOf(view);
  const field = useRef<HTMLInputElement>(null);
  const save = async () => {
    await send('POST', path, { name, query });
    setName('');
    views.reload();
  };
  const remove = (id: number) =>
    removal.run(async () => {
      await send('DELETE', `${path}/${id}`);
      // The clicked button disappears. So the field gets the focus.
      field.current?.focus();
      views.reload();
    });
  return (
    <>
      {/* When the views open, this element gets the focus. The Tab key then moves through the views to the field. */}
      <div tabIndex={-1} data-focus>
        <Answer of={views} lines={2}>
          {(list) => (
            <ul class="saved-views-list">
              {list.map((one) => (
                <li key={one.id}>
                  <Link
                    href={sitePath(domain, one.query === '' ? '' : `?${one.query}`)}
                    current={queryOf(viewOf(one.query)) === query}
                  >
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
      </div>
      <FormError error={removal.error} />
      {mayChange && (
        <Form submit={save}>
          <Field label={t('Save this view as')} name="name">
            <input
              ref={field}
              maxLength={100}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </Field>
          <Actions verb={t('Save')} kind="" />
        </Form>
      )}
    </>
  );
}
