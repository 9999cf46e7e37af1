// Share links with a name, for example for an agency, a customer or a board. A link can be limited to a saved view,
// require a password, and end after a chosen day. Each link may list websites that can show it in a frame. Expired
// links stay in the list, so that a manager can see, change or remove them.
//
// Example: the link "Agency" shows the view "Orders", requires a password, and ends on 31 December.
//
// A site may also have one share link without a name. sharing.tsx shows this link, and `Shares` below it.

import type { Share } from '../../api/shares.ts';
import type { SavedView } from '../../api/views.ts';
import { send, useData } from '../core/api.ts';
import { time } from '../core/format.ts';
import { originIn } from '../core/parse-url-input.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Field } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { writeFrame } from './embeds.tsx';

export function Shares({ site, mayChange }: PartProps) {
  const path = apiPath(site, '/shares');
  const shares = useData<Share[]>(path);
  const views = useData<SavedView[]>(apiPath(site, '/views')).data ?? [];
  const removal = ({ id, name }: Share) =>
    mayChange
      ? { path: `${path}/${id}`, name, warning: t('People with this link will no longer see anything.') }
      : undefined;
  const changeForm = (share: Share, close: (done?: string) => void) => (
    <AddForm
      label={t('Save')}
      done={t('Saved.')}
      add={(data) => send('PATCH', `${path}/${share.id}`, readChange(data, share)).then(() => close(t('Saved.')))}
      cancel={close}
    >
      <ShareFields views={views} share={share} />
    </AddForm>
  );
  return (
    <Block
      title={t('More share links')}
      about={t('Each link can show only a saved view, ask for a password, and expire on a day that you choose.')}
    >
      <ItemList
        of={shares}
        label={t('More share links')}
        empty={{ title: t('No more links yet'), next: t('Add a link for each group of people, such as an agency.') }}
        removal={removal}
        change={mayChange ? changeForm : undefined}
      >
        {(share) => <Item share={share} domain={site.domain} view={views.find(({ id }) => id === share.view_id)} />}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add link')}
          done={t('Added.')}
          add={(data) => send('POST', path, readShare(data)).then(shares.reload)}
        >
          <ShareFields views={views} />
        </AddForm>
      )}
    </Block>
  );
}

/** The fields of a new link, or of a link that somebody changes. */
function ShareFields({ views, share }: { views: readonly SavedView[]; share?: Share }) {
  return (
    <>
      <Input
        name="name"
        label={t('Name')}
        help={t('People with the link do not see it.')}
        maxLength={100}
        defaultValue={share?.name ?? ''}
      />
      <Field label={t('Shows')} name="view_id">
        <select name="view_id">
          <option value="">{t('All reports')}</option>
          {views.map(({ id, name }) => (
            <option key={id} value={id} selected={id === share?.view_id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Input
        name="password"
        label={t(share?.password ? 'New password (optional)' : 'Password (optional)')}
        help={t('It needs at least 10 characters.')}
      />
      {share?.password && (
        <Field label={t('Remove the password')}>
          <input type="checkbox" name="without_password" />
        </Field>
      )}
      <Input name="expires_at" type="date" label={t('Last day (optional)')} defaultValue={lastDay(share)} />
      <Field
        label={t('Websites that may embed the link (optional)')}
        help={t('One per line, such as https://www.example.com. A link with a password cannot be embedded.')}
        name="origins"
      >
        <textarea name="origins" rows={2} spellcheck={false} defaultValue={share?.origins.join('\n') ?? ''} />
      </Field>
    </>
  );
}

function Item({ share, view, domain }: { share: Share; view: SavedView | undefined; domain: string }) {
  const { name, url, password, expires_at: end, origins } = share;
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
      {origins.length > 0 && (
        <>
          <p class="soft small">
            {t('{websites} may embed this link, with this code:', { websites: origins.join(', ') })}
          </p>
          <Copy
            text={writeFrame(url, t('Statistics of {domain}', { domain }))}
            label={t('the embed code of {name}', { name })}
          />
        </>
      )}
    </>
  );
}

/**
 * Finds the last day on which a link works, in the time zone of this browser. The result is empty if the link has no
 * end.
 */
function lastDay(share: Share | undefined): string {
  if (!share?.expires_at) return '';
  const end = new Date(Date.parse(share.expires_at) - 1);
  return [end.getFullYear(), end.getMonth() + 1, end.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Finds the instant at which a link expires: the end of its last day, in the time zone of this browser. */
const readEnd = (day: string): string => new Date(`${day}T24:00`).toISOString();

const readText = (data: FormData, name: string): string => String(data.get(name) ?? '').trim();

const readOrigins = (data: FormData): string[] =>
  readText(data, 'origins')
    .split(/\s+/)
    .filter((typed) => typed !== '')
    .map(originIn);

/** Reads the name, the websites, and each other field that was filled in. */
function readShare(data: FormData): object {
  const [view, password, day] = [readText(data, 'view_id'), data.get('password'), readText(data, 'expires_at')];
  return {
    name: readText(data, 'name'),
    origins: readOrigins(data),
    ...(view && { view_id: Number(view) }),
    ...(password && { password }),
    ...(day && { expires_at: readEnd(day) }),
  };
}

/**
 * Reads the fields that change a link. If the password is empty, the stored password stays. If nobody changed the last
 * day, the stored end stays, even if the link has expired.
 */
function readChange(data: FormData, share: Share): object {
  const [view, day] = [readText(data, 'view_id'), readText(data, 'expires_at')];
  return {
    ...readShare(data),
    view_id: view === '' ? null : Number(view),
    expires_at: day === '' ? null : readEnd(day),
    ...(day === lastDay(share) && { expires_at: undefined }),
    ...(data.get('without_password') !== null && { password: null }),
  };
}
