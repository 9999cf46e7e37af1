import { useState } from 'preact/hooks';
import { navigate } from '../address.ts';
import { send } from '../api.ts';
import { Field, FormError, useSubmit } from '../parts/form.tsx';
import { Block } from './block.tsx';
import { apiPath, type PartProps } from './site-part.ts';

/** Deletes the site, after its domain has been typed. */
export function DeletionPart({ site }: PartProps) {
  const [typed, setTyped] = useState('');
  const { isBusy, error, run } = useSubmit();
  if (site.role !== 'owner') {
    return (
      <Block title="Delete this site">
        <p>Only the owner of the site can delete it.</p>
      </Block>
    );
  }
  const isConfirmed = typed.trim().toLowerCase() === site.domain;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isConfirmed && (await run(() => send('DELETE', apiPath(site))))) navigate('/');
  };
  return (
    <Block
      title="Delete this site"
      about="All its visits, goals, funnels and notes go with it, for good. Its pages may keep the snippet; nothing is counted any more."
    >
      <form class="form" onSubmit={submit}>
        <p>
          To keep the visits in a file first, run <code>daybook export {site.domain}</code> where daybook runs.
        </p>
        <Field label={`Type ${site.domain} to confirm`}>
          <input
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </Field>
        <FormError error={error} />
        <div class="form-actions">
          <button type="submit" class="danger" disabled={!isConfirmed || isBusy}>
            Delete {site.domain}
          </button>
        </div>
      </form>
    </Block>
  );
}
