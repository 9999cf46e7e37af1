// The part of the page "Account" about the user: e-mail address, password, two-factor authentication and language.
//
// Invariant: a password or a secret is never typed on this page. Links lead to forms without the dashboard's scripts.
// So these scripts cannot read what the user types.
//
// Example: an identity provider signs the user in. Then the part has only the e-mail address and the language.

import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { LanguageChoice } from './language.tsx';

export function PersonPart() {
  return (
    <>
      <Block title={t('E-mail')} about={t('You sign in with this e-mail address. Reports and alerts go there too.')}>
        <p class="strong">{boot.email}</p>
        {boot.hasPassword && (
          <p>
            <a class="button" href="/email">
              {t('Change e-mail address')}
            </a>
          </p>
        )}
      </Block>
      {boot.hasPassword && <OwnSecrets />}
      <LanguageChoice />
    </>
  );
}

/**
 * The links to the forms for the password and the second factors. The links are missing if an identity provider signs
 * the user in. The server then has no password and no second factor of the user.
 */
function OwnSecrets() {
  return (
    <>
      <Block
        title={t('Password')}
        about={t('A new password signs you out everywhere else. You can also revoke your access tokens.')}
      >
        <p>
          <a class="button" href="/password">
            {t('Change password')}
          </a>
        </p>
      </Block>
      <Block
        title={t('Two-factor authentication')}
        about={t('With two-factor authentication, you also need a code from your phone to sign in.')}
      >
        <p class="strong">
          {t(boot.factors ? 'Two-factor authentication is on.' : 'Two-factor authentication is off.')}
        </p>
        <p>
          <a class="button" href="/factors">
            {t('Manage two-factor authentication')}
          </a>
        </p>
      </Block>
    </>
  );
}
