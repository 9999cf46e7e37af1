import type { Messages } from '../messages.ts';

// biome-ignore format: one line for each text, with all its translations
export const FRAME = {
  Account: { de: 'Konto', fr: 'Compte', es: 'Cuenta' },
  'Sign out': { de: 'Abmelden', fr: 'Se déconnecter', es: 'Cerrar sesión' },
  'Skip to the content': { de: 'Zum Inhalt', fr: 'Aller au contenu', es: 'Ir al contenido' },
} as const satisfies Messages;
