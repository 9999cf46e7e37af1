import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { LanguageChoice } from './language.tsx';

/**
 * Shows the user's e-mail address and ways to sign in. Links lead to forms without scripts, so no script can read a password or
 * a secret.
 */
export function PersonPart() {
  return (
    <>
      <Block title={t('E-mail')} about={t('You sign in with it, and mails of your sites go there.')}>
        <p class="strong">{boot.email}</p>
        <p>
          <a class="button" href="/email">
            {t('Change your e-mail')}
          </a>
        </p>
      </Block>
      <Block
        title={t('Password')}
        about={t('A new password signs you out everywhere but here, and can revoke your access tokens too.')}
      >
        <p>
          <a class="button" href="/password">
            {t('Change your password')}
          </a>
        </p>
      </Block>
      <Block
        title={t('Two factors')}
        about={t('With a second factor, your password alone lets nobody in: a code from your phone is asked for too.')}
      >
        <p>
          <a class="button" href="/factors">
            {t('Set up or take off two factors')}
          </a>
        </p>
      </Block>
      <LanguageChoice />
    </>
  );
}
