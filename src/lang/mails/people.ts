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

somebody opened a link with which {owner} invites this address to their web
statistics. If it was you, type this code there; it is good for 15 minutes:

{code}

If it was not you, tell it to nobody: whoever has it could join in your name.
`]: {
    de: `Hallo,

jemand hat einen Link geöffnet, mit dem {owner} diese Adresse zur eigenen
Webstatistik einlädt. Wenn du das warst, gib dort diesen Code ein; er gilt
15 Minuten:

{code}

Wenn du es nicht warst, sag ihn niemandem: wer ihn hat, könnte in deinem Namen
beitreten.
`,
    fr: `Bonjour,

quelqu’un a ouvert un lien par lequel {owner} invite cette adresse à ses
statistiques web. Si c’était vous, saisissez-y ce code ; il est valable
15 minutes :

{code}

Si ce n’était pas vous, ne le dites à personne : qui l’a pourrait entrer en
votre nom.
`,
    es: `Hola:

alguien ha abierto un enlace con el que {owner} invita a esta dirección a sus
estadísticas web. Si has sido tú, escribe allí este código; vale 15 minutos:

{code}

Si no has sido tú, no se lo digas a nadie: quien lo tenga podría entrar en tu
nombre.
`,
  },

  'You are invited to a daybook account': {
    de: 'Du bist zu einem Konto bei daybook eingeladen',
    fr: 'Vous êtes invité à un compte daybook',
    es: 'Te invitan a una cuenta de daybook',
  },
  '{owner} invites you to their web statistics, as viewer: you may see its statistics.': {
    de: '{owner} lädt dich als Betrachter zur eigenen Webstatistik ein: du darfst die Zahlen sehen.',
    fr: '{owner} vous invite à ses statistiques web, comme lecteur : vous pouvez voir les chiffres.',
    es: '{owner} te invita a sus estadísticas web, como lector: puedes ver las cifras.',
  },
  '{owner} invites you to their web statistics, as manager: you may see its statistics and change its settings.': {
    de: '{owner} lädt dich als Verwalter zur eigenen Webstatistik ein: du darfst die Zahlen sehen und Einstellungen ändern.',
    fr: '{owner} vous invite à ses statistiques web, comme gestionnaire : vous pouvez voir les chiffres et modifier les réglages.',
    es: '{owner} te invita a sus estadísticas web, como gestor: puedes ver las cifras y cambiar los ajustes.',
  },
  [`Hello,

{invitation}

Open this link to accept. It works once, for 5 days, and for this address only:

{url}

If you do not know who this is, you need not do anything.
`]: {
    de: `Hallo,

{invitation}

Öffne diesen Link, um anzunehmen. Er geht einmal, 5 Tage lang und nur für diese
Adresse:

{url}

Wenn du nicht weißt, wer das ist, brauchst du nichts zu tun.
`,
    fr: `Bonjour,

{invitation}

Ouvrez ce lien pour accepter. Il fonctionne une fois, pendant 5 jours, et pour
cette adresse seulement :

{url}

Si vous ne savez pas qui c’est, vous n’avez rien à faire.
`,
    es: `Hola:

{invitation}

Abre este enlace para aceptar. Funciona una vez, durante 5 días y solo para
esta dirección:

{url}

Si no sabes quién es, no tienes que hacer nada.
`,
  },

  'Set another password for daybook': {
    de: 'Ein anderes Passwort für daybook setzen',
    fr: 'Définir un autre mot de passe pour daybook',
    es: 'Poner otra contraseña para daybook',
  },
  [`Hello,

somebody, most likely you, wants to set another password for your web statistics.

Open this link to do so. It works once, for an hour. Setting another password
signs you out everywhere and revokes your access tokens:

{url}

If it was not you, you need not do anything: your password stays as it is.
`]: {
    de: `Hallo,

jemand, höchstwahrscheinlich du, will ein anderes Passwort für deine Webstatistik
setzen.

Öffne dazu diesen Link. Er geht einmal, eine Stunde lang. Ein anderes Passwort
meldet dich überall ab und widerruft deine Zugriffstoken:

{url}

Wenn du es nicht warst, brauchst du nichts zu tun: dein Passwort bleibt, wie es
ist.
`,
    fr: `Bonjour,

quelqu’un, très probablement vous, veut définir un autre mot de passe pour vos
statistiques web.

Ouvrez ce lien pour le faire. Il fonctionne une fois, pendant une heure. Un autre
mot de passe vous déconnecte partout et révoque vos jetons d’accès :

{url}

Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe reste tel
qu’il est.
`,
    es: `Hola:

alguien, muy probablemente tú, quiere poner otra contraseña para tus estadísticas
web.

Abre este enlace para hacerlo. Funciona una vez, durante una hora. Otra
contraseña cierra tu sesión en todas partes y revoca tus tokens de acceso:

{url}

Si no has sido tú, no tienes que hacer nada: tu contraseña queda como está.
`,
  },

  'Confirm your new e-mail for daybook': {
    de: 'Bestätige deine neue E-Mail für daybook',
    fr: 'Confirmez votre nouvel e-mail pour daybook',
    es: 'Confirma tu nuevo correo para daybook',
  },
  [`Hello,

somebody, most likely you, wants to sign in to their web statistics with this address.

Open this link to confirm that it is yours. It works once, for an hour, and signs
you out everywhere else:

{url}

If it was not you, you need not do anything: nothing changes.
`]: {
    de: `Hallo,

jemand, höchstwahrscheinlich du, will sich mit dieser Adresse bei der eigenen
Webstatistik anmelden.

Öffne diesen Link, um zu bestätigen, dass sie dir gehört. Er geht einmal, eine
Stunde lang, und meldet dich überall sonst ab:

{url}

Wenn du es nicht warst, brauchst du nichts zu tun: nichts ändert sich.
`,
    fr: `Bonjour,

quelqu’un, très probablement vous, veut se connecter à ses statistiques web avec
cette adresse.

Ouvrez ce lien pour confirmer qu’elle est à vous. Il fonctionne une fois, pendant
une heure, et vous déconnecte partout ailleurs :

{url}

Si ce n’était pas vous, vous n’avez rien à faire : rien ne change.
`,
    es: `Hola:

alguien, muy probablemente tú, quiere entrar en sus estadísticas web con esta
dirección.

Abre este enlace para confirmar que es tuya. Funciona una vez, durante una hora,
y cierra tu sesión en todos los demás sitios:

{url}

Si no has sido tú, no tienes que hacer nada: nada cambia.
`,
  },
} satisfies Messages;
