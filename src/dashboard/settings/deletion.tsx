import { useState } from 'preact/hooks';
import { navigate } from '../core/address.ts';
import { send } from '../core/api.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Field, FormError, useSubmit } from '../ui/form.tsx';
import { withParts } from '../ui/with-parts.ts';

/** The owner must type the domain of the site as a confirmation. */
export function DeletionPart({ site }: PartProps) {
  const [typed, setTyped] = useState('');
  const { isBusy, error, run } = useSubmit();
  if (site.role !== 'owner') {
    return (
      <Block title={t('Delete this site')}>
        <p>{t('Only the owner of the site can delete it.')}</p>
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
      title={t('Delete this site')}
      about={t(
        'This permanently deletes all its visits, goals, funnels and notes. Its pages can keep the snippet, but daybook counts nothing.',
      )}
    >
      <form class="form" onSubmit={submit}>
        <p>
          {withParts(t('To export the visits first, run {command} on the server.'), {
            command: <code>daybook export {site.domain}</code>,
          })}
        </p>
        <Field label={t('Type {domain} to confirm', { domain: site.domain })}>
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
          <button type="submit" class="danger" disabled={!isConfirmed} aria-disabled={isBusy}>
            {t('Delete {domain}', { domain: site.domain })}
          </button>
        </div>
      </form>
    </Block>
  );
}
