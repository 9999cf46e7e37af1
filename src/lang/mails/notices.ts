// The messages of notices about changes of an account. The English text is the key. These mails have only a text form, so lines
// are broken by hand at about 80 characters. src/mail/notice.ts sends these mails.

import type { Messages } from '../messages.ts';

export const NOTICES = {
  'Your daybook account was changed': {
    de: 'Dein Konto bei daybook wurde geändert',
    fr: 'Votre compte daybook a été modifié',
    es: 'Tu cuenta de daybook ha cambiado',
  },
  'Wrong codes for your daybook account': {
    de: 'Falsche Codes für dein Konto bei daybook',
    fr: 'Codes faux pour votre compte daybook',
    es: 'Códigos incorrectos para tu cuenta de daybook',
  },
  'This address has a daybook account already': {
    de: 'Diese Adresse hat schon ein Konto bei daybook',
    fr: 'Cette adresse a déjà un compte daybook',
    es: 'Esta dirección ya tiene una cuenta de daybook',
  },
  'Your password was changed.': {
    de: 'Dein Passwort wurde geändert.',
    fr: 'Votre mot de passe a été modifié.',
    es: 'Tu contraseña ha cambiado.',
  },
  'Your e-mail was changed. This address does not sign you in any more.': {
    de: 'Deine E-Mail wurde geändert. Mit dieser Adresse meldest du dich nicht mehr an.',
    fr: 'Votre e-mail a été modifié. Cette adresse ne vous connecte plus.',
    es: 'Tu correo ha cambiado. Con esta dirección ya no inicias sesión.',
  },
  'Somebody wanted to use this address for another account. Nothing was changed.': {
    de: 'Jemand wollte diese Adresse für ein anderes Konto benutzen. Nichts wurde geändert.',
    fr: 'Quelqu’un a voulu utiliser cette adresse pour un autre compte. Rien n’a changé.',
    es: 'Alguien quiso usar esta dirección para otra cuenta. Nada ha cambiado.',
  },
  'A second factor was added.': {
    de: 'Ein zweiter Faktor wurde hinzugefügt.',
    fr: 'Un second facteur a été ajouté.',
    es: 'Se ha añadido un segundo factor.',
  },
  'A second factor was removed.': {
    de: 'Ein zweiter Faktor wurde entfernt.',
    fr: 'Un second facteur a été retiré.',
    es: 'Se ha quitado un segundo factor.',
  },
  'Your recovery codes were replaced by new ones.': {
    de: 'Deine Wiederherstellungscodes wurden durch neue ersetzt.',
    fr: 'Vos codes de récupération ont été remplacés par de nouveaux.',
    es: 'Tus códigos de recuperación se han cambiado por otros nuevos.',
  },
  'An access token was made.': {
    de: 'Ein Zugriffstoken wurde angelegt.',
    fr: 'Un jeton d’accès a été créé.',
    es: 'Se ha creado un token de acceso.',
  },
  'An access token was revoked.': {
    de: 'Ein Zugriffstoken wurde widerrufen.',
    fr: 'Un jeton d’accès a été révoqué.',
    es: 'Se ha revocado un token de acceso.',
  },
  'Ten wrong codes were typed in place of your second factor. The password was right.': {
    de: 'Zehn falsche Codes wurden anstelle deines zweiten Faktors eingegeben. Das Passwort stimmte.',
    fr: 'Dix codes faux ont été saisis à la place de votre second facteur. Le mot de passe était juste.',
    es: 'Se han escrito diez códigos incorrectos en lugar de tu segundo factor. La contraseña era correcta.',
  },
  [`Hello,

{change}

If that was you, you need not do anything. If not, somebody else can get into
your account. Set another password, which signs everybody out:

{url}
`]: {
    de: `Hallo,

{change}

Wenn du das warst, brauchst du nichts zu tun. Wenn nicht, kommt jemand anderes in
dein Konto. Setze ein anderes Passwort; das meldet alle ab:

{url}
`,
    fr: `Bonjour,

{change}

Si c’était vous, vous n’avez rien à faire. Sinon, quelqu’un d’autre a accès à
votre compte. Définissez un autre mot de passe, ce qui déconnecte tout le monde :

{url}
`,
    es: `Hola:

{change}

Si has sido tú, no tienes que hacer nada. Si no, otra persona puede entrar en tu
cuenta. Pon otra contraseña, lo que cierra todas las sesiones:

{url}
`,
  },
  [`Hello,

{change}

If that was you, you need not do anything. If not, tell the person who runs this
server:

{url}
`]: {
    de: `Hallo,

{change}

Wenn du das warst, brauchst du nichts zu tun. Wenn nicht, sag es dem Betreiber
dieses Servers:

{url}
`,
    fr: `Bonjour,

{change}

Si c’était vous, vous n’avez rien à faire. Sinon, dites-le à la personne qui
exploite ce serveur :

{url}
`,
    es: `Hola:

{change}

Si has sido tú, no tienes que hacer nada. Si no, díselo a quien administra este
servidor:

{url}
`,
  },
  [`Hello,

{change}

If that was you, sign in with this address, or use another one:

{url}

If not, you need not do anything.
`]: {
    de: `Hallo,

{change}

Wenn du das warst, melde dich mit dieser Adresse an, oder nimm eine andere:

{url}

Wenn nicht, brauchst du nichts zu tun.
`,
    fr: `Bonjour,

{change}

Si c’était vous, connectez-vous avec cette adresse, ou prenez-en une autre :

{url}

Sinon, vous n’avez rien à faire.
`,
    es: `Hola:

{change}

Si has sido tú, inicia sesión con esta dirección, o usa otra:

{url}

Si no, no tienes que hacer nada.
`,
  },
} satisfies Messages;
