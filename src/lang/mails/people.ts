// The messages of mails to one person: invitations, codes and links. The English text is the key. Lines are broken by hand at
// about 80 characters, so that they fit a telephone and a terminal. src/mail/post.ts sends these mails.

import type { Messages } from '../messages.ts';

export const PEOPLE = {
  'Your code for daybook': {
    de: 'Dein Code für daybook',
    fr: 'Votre code pour daybook',
    es: 'Tu código para daybook',
  },
  [`Hello,

someone opened a link from {owner} that invites you to website statistics. If it
was you, enter this code there. It is valid for 15 minutes:

{code}

If it was not you, ignore this e-mail. Do not give the code to anyone.
`]: {
    de: `Hallo,

jemand hat einen Link geöffnet, mit dem {owner} dich zur eigenen Webstatistik
einlädt. Wenn du das warst, gib dort diesen Code ein. Er gilt 15 Minuten:

{code}

Wenn du es nicht warst, ignoriere diese E-Mail und gib den Code nicht weiter.
`,
    fr: `Bonjour,

quelqu’un a ouvert un lien par lequel {owner} vous invite à ses statistiques web.
Si c’était vous, saisissez-y ce code. Il est valable 15 minutes :

{code}

Si ce n’était pas vous, ignorez cet e-mail, et ne donnez ce code à personne.
`,
    es: `Hola:

alguien ha abierto un enlace con el que {owner} te invita a sus estadísticas web.
Si has sido tú, escribe allí este código. Es válido durante 15 minutos:

{code}

Si no has sido tú, ignora este correo y no des el código a nadie.
`,
  },

  'Invitation to a daybook account': {
    de: 'Einladung zu einem daybook-Konto',
    fr: 'Invitation à un compte daybook',
    es: 'Invitación a una cuenta de daybook',
  },
  '{owner} has invited you to view their website statistics.': {
    de: '{owner} hat dich eingeladen, die eigene Webstatistik anzusehen.',
    fr: '{owner} vous invite à consulter ses statistiques web.',
    es: '{owner} te ha invitado a ver sus estadísticas web.',
  },
  '{owner} has invited you to view and manage their website statistics.': {
    de: '{owner} hat dich eingeladen, die eigene Webstatistik anzusehen und zu verwalten.',
    fr: '{owner} vous invite à consulter et à gérer ses statistiques web.',
    es: '{owner} te ha invitado a ver y gestionar sus estadísticas web.',
  },
  [`Hello,

{invitation}

Open this link to accept. It works once, within 5 days, and only for this e-mail
address:

{url}

If you do not know the sender, you can ignore this e-mail.
`]: {
    de: `Hallo,

{invitation}

Öffne diesen Link, um anzunehmen. Er funktioniert einmal, 5 Tage lang und nur für
diese E-Mail-Adresse:

{url}

Wenn du den Absender nicht kennst, kannst du diese E-Mail ignorieren.
`,
    fr: `Bonjour,

{invitation}

Ouvrez ce lien pour accepter. Il fonctionne une seule fois, pendant 5 jours, et
seulement pour cette adresse e-mail :

{url}

Si vous ne connaissez pas l’expéditeur, vous pouvez ignorer cet e-mail.
`,
    es: `Hola:

{invitation}

Abre este enlace para aceptar. Funciona una sola vez, durante 5 días y solo para
esta dirección de correo:

{url}

Si no conoces al remitente, puedes ignorar este correo.
`,
  },

  'Reset your daybook password': {
    de: 'Passwort für daybook zurücksetzen',
    fr: 'Réinitialiser votre mot de passe daybook',
    es: 'Restablece tu contraseña de daybook',
  },
  [`Hello,

someone, probably you, asked to reset the password of your web statistics.

Open this link to choose a new password. It works once, within an hour. A new
password signs you out on all devices and revokes your access tokens:

{url}

If it was not you, you can ignore this e-mail. Your password does not change.
`]: {
    de: `Hallo,

jemand, wahrscheinlich du, möchte das Passwort für deine Webstatistik
zurücksetzen.

Öffne diesen Link, um ein neues Passwort zu wählen. Er funktioniert einmal, eine
Stunde lang. Ein neues Passwort meldet dich auf allen Geräten ab und widerruft
deine Zugriffstoken:

{url}

Wenn du es nicht warst, kannst du diese E-Mail ignorieren. Dein Passwort ändert
sich nicht.
`,
    fr: `Bonjour,

quelqu’un, probablement vous, a demandé à réinitialiser le mot de passe de vos
statistiques web.

Ouvrez ce lien pour choisir un nouveau mot de passe. Il fonctionne une seule fois,
pendant une heure. Un nouveau mot de passe vous déconnecte de tous vos appareils
et révoque vos jetons d’accès :

{url}

Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Votre mot de passe ne
change pas.
`,
    es: `Hola:

alguien, probablemente tú, ha pedido restablecer la contraseña de tus estadísticas
web.

Abre este enlace para elegir una contraseña nueva. Funciona una sola vez, durante
una hora. Una contraseña nueva cierra tu sesión en todos los dispositivos y revoca
tus tokens de acceso:

{url}

Si no has sido tú, puedes ignorar este correo. Tu contraseña no cambia.
`,
  },

  'Confirm your new e-mail address for daybook': {
    de: 'Bestätige deine neue E-Mail-Adresse für daybook',
    fr: 'Confirmez votre nouvelle adresse e-mail pour daybook',
    es: 'Confirma tu nueva dirección de correo para daybook',
  },
  [`Hello,

someone, probably you, wants to use this e-mail address to sign in to web
statistics.

Open this link to confirm that the e-mail address is yours. It works once, within
an hour. You will be signed out on all other devices:

{url}

If it was not you, you can ignore this e-mail. Nothing changes.
`]: {
    de: `Hallo,

jemand, wahrscheinlich du, möchte sich mit dieser E-Mail-Adresse bei einer
Webstatistik anmelden.

Öffne diesen Link, um zu bestätigen, dass die E-Mail-Adresse dir gehört. Er
funktioniert einmal, eine Stunde lang. Auf allen anderen Geräten wirst du
abgemeldet:

{url}

Wenn du es nicht warst, kannst du diese E-Mail ignorieren. Nichts ändert sich.
`,
    fr: `Bonjour,

quelqu’un, probablement vous, veut se connecter à des statistiques web avec cette
adresse e-mail.

Ouvrez ce lien pour confirmer que cette adresse e-mail est à vous. Il fonctionne
une seule fois, pendant une heure. Vous serez déconnecté de tous vos autres
appareils :

{url}

Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Rien ne change.
`,
    es: `Hola:

alguien, probablemente tú, quiere iniciar sesión en unas estadísticas web con esta
dirección de correo.

Abre este enlace para confirmar que la dirección de correo es tuya. Funciona una
sola vez, durante una hora. Se cerrará tu sesión en todos los demás dispositivos:

{url}

Si no has sido tú, puedes ignorar este correo. Nada cambia.
`,
  },
} satisfies Messages;
