import { useState } from 'preact/hooks';
import type { Ability, PlainToken, Token } from '../../api/tokens.ts';
import { send, useData } from '../api.ts';
import { day, time } from '../format.ts';
import { Copy } from '../parts/copy.tsx';
import { Field } from '../parts/form.tsx';
import { AddForm, Input, useFieldError } from './add-form.tsx';
import { Block } from './block.tsx';
import { ItemList } from './item-list.tsx';
import { ShownOnce } from './shown-once.tsx';

const ABILITIES: Record<Ability, { name: string; about: string }> = {
  read: { name: 'Read', about: 'Ask for reports and settings.' },
  write: { name: 'Write', about: 'Change settings, sites and goals as you can. Includes the other two.' },
  collect: { name: 'Collect', about: 'Send hits and requests of AI crawlers from a server.' },
};

/** The access tokens of this account. */
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
      <Block title="Access tokens" about="With a token, a program asks this server in your name.">
        <ItemList
          of={tokens}
          label="Access tokens"
          empty={{
            title: 'No tokens yet',
            next: 'Make one to ask for reports from a script, or to send hits from a server.',
          }}
          removal={({ id, name }) => ({
            path: `/tokens/${id}`,
            name,
            verb: 'Revoke',
            warning: 'Whatever uses this token is refused from then on.',
          })}
        >
          {({ name, abilities, created_at, last_used_at }) => (
            <>
              <p>
                <span class="strong">{name}</span>{' '}
                {abilities.map((ability) => (
                  <span key={ability} class="badge">
                    {ABILITIES[ability].name.toLowerCase()}
                  </span>
                ))}
              </p>
              <p class="soft small">
                Made {day(created_at)} · {last_used_at === null ? 'never used' : `last used ${time(last_used_at)}`}
              </p>
            </>
          )}
        </ItemList>
      </Block>
      <Block title="New token">
        {added && <AddedToken key={added.id} token={added} />}
        <AddForm label="Make token" done="Done. Copy it above." add={add}>
          <Input
            name="name"
            label="Name"
            placeholder="Weekly script"
            help="So that you recognise it."
            maxLength={100}
          />
          <Abilities />
        </AddForm>
      </Block>
    </>
  );
}

function Abilities() {
  const error = useFieldError('abilities');
  return (
    <fieldset>
      <legend class="field-label">It may</legend>
      <div class="switch-list">
        {Object.entries(ABILITIES).map(([ability, { name, about }]) => (
          <Field key={ability} label={name} help={about}>
            <input type="checkbox" name="abilities" value={ability} defaultChecked={ability === 'read'} />
          </Field>
        ))}
      </div>
      {error && <p class="form-error">{error}</p>}
    </fieldset>
  );
}

export function AddedToken({ token: { token, abilities } }: { token: PlainToken }) {
  const canRead = abilities.some((ability) => ability !== 'collect');
  return (
    <ShownOnce label="Your new token">
      <p>
        <span class="strong">Copy this token now.</span> It is not shown again.
      </p>
      <Copy text={token} label="the token" />
      {canRead && (
        <>
          <p>To try it out:</p>
          <Copy
            text={`curl -H 'Authorization: Bearer ${token}' -H 'Accept: application/json' ${location.origin}/api/v1/sites`}
            label="the command"
          />
        </>
      )}
    </ShownOnce>
  );
}
