import { useRef } from 'preact/hooks';
import type { Session } from '../../api/sessions.ts';
import { send, useData } from '../core/api.ts';
import { time } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ItemList } from '../ui/item-list.tsx';

/** Lists the browsers in which the user is signed in. All except this browser have a button that ends the session. */
export function SessionsPart() {
  const sessions = useData<Session[]>('/sessions');
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  const list = useRef<HTMLDivElement>(null);
  const endOthers = async () => {
    await Promise.all(others.map(({ id }) => send('DELETE', `/sessions/${id}`))).finally(sessions.reload);
    // The clicked button disappears. So the list gets the focus, and the Tab key continues from there.
    list.current?.focus();
  };
  return (
    <Block title={t('Your sessions')}>
      <div ref={list} tabIndex={-1} class="item-list">
        <ItemList
          of={sessions}
          label={t('Sessions')}
          empty={{ title: t('No sessions'), next: t('When you sign in with a browser, it appears here.') }}
          removal={({ id, browser, current }) =>
            current
              ? undefined
              : {
                  path: `/sessions/${id}`,
                  name: browser,
                  verb: t('Sign out'),
                  warning: t('You will need to sign in again in this browser.'),
                }
          }
        >
          {({ browser, created_at, used_at, current }) => (
            <>
              <p>
                <span class="strong">{browser}</span> {current && <span class="badge">{t('this browser')}</span>}
              </p>
              <p class="soft small">
                {t('Signed in {from} · last used {time}', { from: time(created_at), time: time(used_at) })}
              </p>
            </>
          )}
        </ItemList>
      </div>
      {others.length > 1 && (
        <ConfirmButton
          verb={t('Sign out everywhere else')}
          warning={t('You will need to sign in again in all other browsers.')}
          action={endOthers}
        />
      )}
    </Block>
  );
}
