// Share links with a name: for an agency, a customer or a board. A link can show a saved view only, need a password, and
// end after a day. Expired links stay in the list, so that a manager sees them and removes them.
//
// Example: the link "Agency" shows the view "Orders", needs a password, and ends on 31 December. sharing.tsx shows
// `Shares` below the link without a name.

import type { Share } from '../../api/shares.ts';
import type { SavedView } from '../../api/views.ts';
import { send, useData } from '../core/api.ts';
import { time } from '../core/format.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Field } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';

export function Shares({ site, mayChange }: PartProps) {
  const path = apiPath(site, '/shares');
  const shares = useData<Share[]>(path);
  const views = useData<SavedView[]>(apiPath(site, '/views')).data ?? [];
  const removal = ({ id, name }: Share) =>
    mayChange
      ? { path: `${path}/${id}`, name, warning: t('People with this link will no longer see anything.') }
      : undefined;
  return (
    <Block
      title={t('More share links')}
      about={t('Each link can show only a saved view, need a password, and end on a day that you choose.')}
    >
      <ItemList
        of={shares}
        label={t('More share links')}
        empty={{ title: t('No more links yet'), next: t('Add a link for each group of people, such as an agency.') }}
        removal={removal}
      >
        {(share) => <Item share={share} view={views.find(({ id }) => id === share.view_id)} />}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add link')}
          done={t('Added.')}
          add={(data) => send('POST', path, readShare(data)).then(shares.reload)}
        >
          <Input name="name" label={t('Name')} help={t('People with the link do not see it.')} maxLength={100} />
          <Field label={t('Shows')} name="view_id">
            <select name="view_id">
              <option value="">{t('All reports')}</option>
              {views.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Input name="password" label={t('Password (optional)')} help={t('It needs at least 10 characters.')} />
          <Input name="expires_at" type="date" label={t('Last day (optional)')} />
        </AddForm>
      )}
    </Block>
  );
}

function Item({ share, view }: { share: Share; view: SavedView | undefined }) {
  const { name, url, password, expires_at: end } = share;
  const isOver = end !== null && Date.parse(end) <= Date.now();
  const facts = [
    view?.name ?? t('All reports'),
    password && t('with a password'),
    end && t(isOver ? 'ended on {time}' : 'ends on {time}', { time: time(end) }),
  ];
  return (
    <>
      <p class="strong">{name}</p>
      <p class="soft small">{facts.filter(Boolean).join(' · ')}</p>
      <Copy text={url} label={t('the link {name}', { name })} />
    </>
  );
}

/** Reads the fields that were filled in. A link ends with its last day, in the time zone of this screen. */
function readShare(data: FormData): object {
  const [name, view, password, day] = ['name', 'view_id', 'password', 'expires_at'].map((key) =>
    String(data.get(key) ?? ''),
  );
  return {
    name: name?.trim(),
    ...(view && { view_id: Number(view) }),
    ...(password && { password }),
    ...(day && { expires_at: new Date(`${day}T24:00`).toISOString() }),
  };
}
