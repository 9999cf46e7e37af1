import type { Messages } from '../messages.ts';

/** What may be wrong with what was typed on a page: sentences of the server, which programs get in English. */
// biome-ignore format: a table
export const PAGE_ERRORS = {
  'Wrong e-mail or password.': { de: 'Falsche E-Mail oder falsches Passwort.', fr: 'E-mail ou mot de passe incorrect.', es: 'Correo o contraseña incorrectos.' },
  'This is not your current password.': { de: 'Das ist nicht dein jetziges Passwort.', fr: 'Ce n’est pas votre mot de passe actuel.', es: 'Esta no es tu contraseña actual.' },
  'This code is wrong, or has been used already.': { de: 'Dieser Code ist falsch oder wurde schon benutzt.', fr: 'Ce code est faux, ou a déjà servi.', es: 'Este código es incorrecto o ya se ha usado.' },
  'This is not the code that the app shows now; is its clock right?': { de: 'Das ist nicht der Code, den die App jetzt zeigt; geht ihre Uhr richtig?', fr: 'Ce n’est pas le code que l’application affiche maintenant ; son horloge est-elle à l’heure ?', es: 'Este no es el código que muestra la aplicación ahora; ¿va bien su reloj?' },
  'This is not a passkey of {email}.': { de: 'Das ist kein Passkey von {email}.', fr: 'Ce n’est pas une clé d’accès de {email}.', es: 'Esta no es una clave de acceso de {email}.' },
  'This server sends no mail.': { de: 'Dieser Server verschickt keine Mails.', fr: 'Ce serveur n’envoie pas d’e-mails.', es: 'Este servidor no envía correos.' },
  'Somebody here has this e-mail already.': { de: 'Diese E-Mail hat hier schon jemand.', fr: 'Quelqu’un a déjà cet e-mail ici.', es: 'Alguien aquí ya tiene este correo.' },
  'Type the code that was mailed to {email}.': { de: 'Gib den Code ein, der an {email} geschickt wurde.', fr: 'Saisissez le code qui a été envoyé à {email}.', es: 'Escribe el código que se envió a {email}.' },
  'This is not the code that was mailed to {email}.': { de: 'Das ist nicht der Code, der an {email} geschickt wurde.', fr: 'Ce n’est pas le code qui a été envoyé à {email}.', es: 'Este no es el código que se envió a {email}.' },
  'This code is not good any more. Open the link again, and another is mailed.': { de: 'Dieser Code gilt nicht mehr. Öffne den Link noch einmal, dann wird ein anderer geschickt.', fr: 'Ce code n’est plus valable. Ouvrez de nouveau le lien, et un autre est envoyé.', es: 'Este código ya no vale. Abre el enlace otra vez y se envía otro.' },
  'This address has no password yet. Set it with the link you were given, then come back.': { de: 'Diese Adresse hat noch kein Passwort. Setze es mit dem Link, den du bekommen hast, und komm dann zurück.', fr: 'Cette adresse n’a pas encore de mot de passe. Définissez-le avec le lien que vous avez reçu, puis revenez.', es: 'Esta dirección aún no tiene contraseña. Ponla con el enlace que te dieron y vuelve.' },
  'This is not the password of {email}.': { de: 'Das ist nicht das Passwort von {email}.', fr: 'Ce n’est pas le mot de passe de {email}.', es: 'Esta no es la contraseña de {email}.' },
  'The user of this address was changed a moment ago; try again.': { de: 'Der Nutzer dieser Adresse wurde eben geändert; versuche es noch einmal.', fr: 'L’utilisateur de cette adresse vient d’être modifié ; réessayez.', es: 'El usuario de esta dirección acaba de cambiar; inténtalo de nuevo.' },
  'An account has at most {most} second factors.': { de: 'Ein Konto hat höchstens {most} zweite Faktoren.', fr: 'Un compte a au plus {most} seconds facteurs.', es: 'Una cuenta tiene como máximo {most} segundos factores.' },
  'Too many tries; come back in a quarter of an hour.': { de: 'Zu viele Versuche; komm in einer Viertelstunde wieder.', fr: 'Trop d’essais ; revenez dans un quart d’heure.', es: 'Demasiados intentos; vuelve en un cuarto de hora.' },
  'This passkey does not work here, or the page was open for too long.': { de: 'Dieser Passkey gilt hier nicht, oder die Seite war zu lange offen.', fr: 'Cette clé d’accès ne fonctionne pas ici, ou la page est restée ouverte trop longtemps.', es: 'Esta clave de acceso no sirve aquí, o la página estuvo abierta demasiado tiempo.' },
  'Must be an e-mail address such as ann@example.com.': { de: 'Muss eine E-Mail-Adresse sein, etwa ann@example.com.', fr: 'Doit être une adresse e-mail telle que ann@example.com.', es: 'Debe ser una dirección de correo como ann@example.com.' },
  'Too many tries; come back in 1 second.': { de: 'Zu viele Versuche; komm in einer Sekunde wieder.', fr: 'Trop d’essais ; revenez dans une seconde.', es: 'Demasiados intentos; vuelve en un segundo.' },
  'Too many tries; come back in {count} seconds.': { de: 'Zu viele Versuche; komm in {count} Sekunden wieder.', fr: 'Trop d’essais ; revenez dans {count} secondes.', es: 'Demasiados intentos; vuelve en {count} segundos.' },
  'Too many tries; come back in 1 minute.': { de: 'Zu viele Versuche; komm in einer Minute wieder.', fr: 'Trop d’essais ; revenez dans une minute.', es: 'Demasiados intentos; vuelve en un minuto.' },
  'Too many tries; come back in {count} minutes.': { de: 'Zu viele Versuche; komm in {count} Minuten wieder.', fr: 'Trop d’essais ; revenez dans {count} minutes.', es: 'Demasiados intentos; vuelve en {count} minutos.' },
  'Too many requests; the Retry-After header says in how many seconds to come back.': { de: 'Zu viele Anfragen; komm etwas später wieder.', fr: 'Trop de requêtes ; revenez un peu plus tard.', es: 'Demasiadas peticiones; vuelve un poco más tarde.' },
  'Must have at least 10 characters.': { de: 'Muss mindestens 10 Zeichen haben.', fr: 'Doit avoir au moins 10 caractères.', es: 'Debe tener al menos 10 caracteres.' },
  'Must have at most {most} characters.': { de: 'Darf höchstens {most} Zeichen haben.', fr: 'Doit avoir au plus {most} caractères.', es: 'Debe tener como máximo {most} caracteres.' },
} as const satisfies Messages;
