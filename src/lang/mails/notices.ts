// The messages of notices about changes of an account. The English text is the key. These mails have only a text form, so lines
// are broken by hand at about 80 characters. src/mail/notice.ts sends these mails.

import type { Messages } from '../messages.ts';

export const NOTICES = {
  'Your daybook account was changed': {
    de: 'Dein daybook-Konto wurde geändert',
    fr: 'Votre compte daybook a été modifié',
    es: 'Tu cuenta de daybook ha cambiado',
  },
  'Wrong codes for your daybook account': {
    de: 'Falsche Codes für dein daybook-Konto',
    fr: 'Codes incorrects pour votre compte daybook',
    es: 'Códigos incorrectos para tu cuenta de daybook',
  },
  'This e-mail address already has a daybook account': {
    de: 'Diese E-Mail-Adresse hat schon ein daybook-Konto',
    fr: 'Cette adresse e-mail a déjà un compte daybook',
    es: 'Esta dirección de correo ya tiene una cuenta de daybook',
  },
  'Your password was changed.': {
    de: 'Dein Passwort wurde geändert.',
    fr: 'Votre mot de passe a été modifié.',
    es: 'Tu contraseña ha cambiado.',
  },
  'Your e-mail address was changed. You can no longer sign in with this one.': {
    de: 'Deine E-Mail-Adresse wurde geändert. Mit dieser kannst du dich nicht mehr anmelden.',
    fr: 'Votre adresse e-mail a été modifiée. Celle-ci ne permet plus de vous connecter.',
    es: 'Tu dirección de correo ha cambiado. Con esta ya no puedes iniciar sesión.',
  },
  'Someone tried to use this e-mail address for another account. Nothing was changed.': {
    de: 'Jemand wollte diese E-Mail-Adresse für ein anderes Konto benutzen. Nichts wurde geändert.',
    fr: 'Quelqu’un a voulu utiliser cette adresse e-mail pour un autre compte. Rien n’a changé.',
    es: 'Alguien quiso usar esta dirección de correo para otra cuenta. Nada ha cambiado.',
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
  'Your recovery codes were replaced.': {
    de: 'Deine Wiederherstellungscodes wurden ersetzt.',
    fr: 'Vos codes de récupération ont été remplacés.',
    es: 'Tus códigos de recuperación se han sustituido.',
  },
  'An access token was created.': {
    de: 'Ein Zugriffstoken wurde erstellt.',
    fr: 'Un jeton d’accès a été créé.',
    es: 'Se ha creado un token de acceso.',
  },
  'An access token was revoked.': {
    de: 'Ein Zugriffstoken wurde widerrufen.',
    fr: 'Un jeton d’accès a été révoqué.',
    es: 'Se ha revocado un token de acceso.',
  },
  'Someone entered your password and then ten wrong codes.': {
    de: 'Jemand hat dein Passwort und danach zehn falsche Codes eingegeben.',
    fr: 'Quelqu’un a saisi votre mot de passe, puis dix codes incorrects.',
    es: 'Alguien escribió tu contraseña y después diez códigos incorrectos.',
  },
  [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, someone else can use your
account. Reset your password to sign out all devices:

{url}
`]: {
    de: `Hallo,

{change}

Wenn du das warst, kannst du diese E-Mail ignorieren. Wenn nicht, hat jemand
anderes Zugang zu deinem Konto. Setze dein Passwort zurück, um alle Geräte
abzumelden:

{url}
`,
    fr: `Bonjour,

{change}

Si c’était vous, vous pouvez ignorer cet e-mail. Sinon, quelqu’un d’autre a accès
à votre compte. Réinitialisez votre mot de passe pour déconnecter tous les
appareils :

{url}
`,
    es: `Hola:

{change}

Si has sido tú, puedes ignorar este correo. Si no, otra persona tiene acceso a tu
cuenta. Restablece tu contraseña para cerrar la sesión en todos los dispositivos:

{url}
`,
  },
  [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, tell the person who runs
this server:

{url}
`]: {
    de: `Hallo,

{change}

Wenn du das warst, kannst du diese E-Mail ignorieren. Wenn nicht, sag dem
Betreiber dieses Servers Bescheid:

{url}
`,
    fr: `Bonjour,

{change}

Si c’était vous, vous pouvez ignorer cet e-mail. Sinon, prévenez la personne qui
exploite ce serveur :

{url}
`,
    es: `Hola:

{change}

Si has sido tú, puedes ignorar este correo. Si no, avisa a la persona que
administra este servidor:

{url}
`,
  },
  [`Hello,

{change}

If that was you, sign in with this e-mail address, or use another one:

{url}

If not, you can ignore this e-mail.
`]: {
    de: `Hallo,

{change}

Wenn du das warst, melde dich mit dieser E-Mail-Adresse an, oder nimm eine andere:

{url}

Wenn nicht, kannst du diese E-Mail ignorieren.
`,
    fr: `Bonjour,

{change}

Si c’était vous, connectez-vous avec cette adresse e-mail, ou utilisez-en une
autre :

{url}

Sinon, vous pouvez ignorer cet e-mail.
`,
    es: `Hola:

{change}

Si has sido tú, inicia sesión con esta dirección de correo, o usa otra:

{url}

Si no, puedes ignorar este correo.
`,
  },
} satisfies Messages;
