// The dialog that asks people to confirm who they are before an important change, such as a new e-mail address.
//
// Example: a user deletes a site. The server asks for a confirmation, so confirm-identity.tsx shows this dialog. After
// the right password or code, the request is sent again. After a new sign-in at the identity provider, the user must
// click again, because the page was left.
import { reauthenticate } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { Dialog } from './dialog.tsx';
import { Actions, Field, Form } from './form.tsx';

/** Asks for the password or a code. `end` is called with true if the password or the code was right. */
export function IdentityDialog({ end }: { end(isConfirmed: boolean): void }) {
  return (
    <Dialog title={t('Confirm it’s you')} onClose={() => end(false)}>
      {boot.provider !== null && <ProviderLink name={boot.provider} />}
      {(boot.hasPassword || boot.factors) && <IdentityForm onConfirmed={() => end(true)} />}
    </Dialog>
  );
}

/**
 * A link to the provider's page, which asks for the password. The click leaves this page, and the page forgets the
 * change. So the user must repeat the change afterwards.
 */
function ProviderLink({ name }: { name: string }) {
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <div class="form">
      <p>{t('{name} asks for your password. You then come back here and repeat the change.', { name })}</p>
      <p>
        <a class="button primary" href={`/sign-in/oidc?again=yes&next=${next}`}>
          {t('Continue with {name}', { name })}
        </a>
      </p>
    </div>
  );
}

function IdentityForm({ onConfirmed }: { onConfirmed(): void }) {
  const submit = async (data: FormData) => {
    const [password, code] = [String(data.get('password')), String(data.get('code') ?? '')];
    await reauthenticate(code === '' ? { password } : { code });
    onConfirmed();
  };
  return (
    <Form label={t('Confirm it’s you')} submit={submit}>
      <p>
        {boot.factors
          ? t(
              'Enter your password or a code from your phone. This protects your account if you leave your browser open.',
            )
          : t('Enter your password again. This protects your account if you leave your browser open.')}
      </p>
      <input type="hidden" name="username" autocomplete="username" value={boot.email ?? ''} />
      <Field label={t('Password')} name="password">
        {/* biome-ignore lint/a11y/noAutofocus: the user must type the password in this dialog */}
        <input name="password" type="password" autocomplete="current-password" maxLength={1024} autoFocus />
      </Field>
      {boot.factors && (
        <Field label={t('Code')} name="code">
          <input name="code" autocomplete="one-time-code" maxLength={40} />
        </Field>
      )}
      <Actions verb={t('Continue')} />
    </Form>
  );
}
