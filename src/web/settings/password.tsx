import { Block } from './block.tsx';

/** The form is a page without scripts, so that no script ever sees a password. */
export function PasswordPart() {
  return (
    <Block
      title="Password"
      about="A new password signs you out everywhere but here, and can revoke your access tokens too."
    >
      <p>
        <a class="button" href="/password">
          Change your password
        </a>
      </p>
    </Block>
  );
}
