// Shows the access tokens of a user. With a token, a program uses the API for the user. A token has its own
// permissions, such as reading. The server stores only a hash of a token. So the page shows a token right after it was
// made, and can never show it again. pages/account.tsx shows `TokensPart`.

import { useState } from 'preact/hooks';
import type { Ability } from '../../api/input.ts';
import type { PlainToken, Token } from '../../api/tokens.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { send, useData } from '../core/api.ts';
import { day, time } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Copy } from '../ui/copy.tsx';
import { Field, Fields } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';

const ABILITIES: Record<Ability, Record<'name' | 'badge' | 'about', DashboardMessage>> = {
  read: { name: 'Read', badge: 'read', about: 'Read reports and settings.' },
  write: {
    name: 'Write',
    badge: 'write',
    about: 'Change settings, sites and goals that you may change yourself. Includes all other permissions.',
  },
  collect: { name: 'Collect', badge: 'collect', about: 'Send hits and AI crawler requests from a server.' },
  note: { name: 'Add notes', badge: 'note', about: 'Add notes to the chart, for example from a deploy.' },
};

export function TokensPart() {
  const tokens = useData<Token[]>('/tokens');
  const [added, setAdded] = useState<PlainToken>();
  const add = async (data: FormData) => {
    setAdded(
      await send<PlainToken>('POST', '/tokens', { name: data.get('name'), abilities: data.getAll('abilities') }),
    );
    tokens.reload();
  };
  return (
    <>
      <Block title={t('Access tokens')} about={t('Tokens let programs use the API on your behalf.')}>
        <ItemList
          of={tokens}
          label={t('Access tokens')}
          empty={{
            title: t('No tokens yet'),
            next: t('Create one to get reports in a script, or to send hits from a server.'),
          }}
          removal={({ id, name }) => ({
            path: `/tokens/${id}`,
            name,
            verb: t('Revoke'),
            warning: t('Programs that use this token will stop working.'),
          })}
        >
          {({ name, abilities, created_at, last_used_at }) => (
            <>
              <p>
                <span class="strong">{name}</span>{' '}
                {abilities.map((ability) => (
                  <span key={ability} class="badge">
                    {t(ABILITIES[ability].badge)}
                  </span>
                ))}
              </p>
              <p class="soft small">
                {last_used_at === null
                  ? t('Created {day} · never used', { day: day(created_at) })
                  : t('Created {day} · last used {time}', { day: day(created_at), time: time(last_used_at) })}
              </p>
            </>
          )}
        </ItemList>
      </Block>
      <Block title={t('New token')}>
        {added && <AddedToken key={added.id} token={added} />}
        <AddForm label={t('Create token')} done={t('Token created. Copy it now.')} add={add}>
          <Input
            name="name"
            label={t('Name')}
            placeholder={t('Backup script')}
            help={t('A name helps you recognise it later.')}
            maxLength={100}
          />
          <Abilities />
        </AddForm>
      </Block>
    </>
  );
}

function Abilities() {
  return (
    <Fields label={t('Permissions')} name="abilities">
      <div class="switch-list">
        {Object.entries(ABILITIES).map(([ability, { name, about }]) => (
          <Field key={ability} label={t(name)} help={t(about)}>
            <input type="checkbox" name="abilities" value={ability} defaultChecked={ability === 'read'} />
          </Field>
        ))}
      </div>
    </Fields>
  );
}

export function AddedToken({ token: { token, abilities } }: { token: PlainToken }) {
  const canRead = abilities.some((ability) => ability === 'read' || ability === 'write');
  return (
    <ShownOnce label={t('Your new token')}>
      <p>
        <span class="strong">{t('Copy this token now.')}</span> {t('You cannot see this token again later.')}
      </p>
      <Copy text={token} label={t('the token')} />
      {canRead && (
        <>
          <p>{t('Try it with this command:')}</p>
          <Copy
            text={`curl -H 'Authorization: Bearer ${token}' -H 'Accept: application/json' ${location.origin}/api/v1/sites`}
            label={t('the command')}
          />
        </>
      )}
    </ShownOnce>
  );
}
