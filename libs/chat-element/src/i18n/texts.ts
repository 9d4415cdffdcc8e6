import { en, type Texts } from './en';
import { es } from './es';
import { Formats } from './formats';
import { ko } from './ko';

const textsByLanguage = new Map<string, Texts>(Object.entries({ en, es, ko }));

/** Texts and formats of a language. */
export interface Language {
  texts: Texts;
  formats: Formats;
}

const languagesByTag = new Map<string, Language>();

/** The language of a tag such as `es-MX`; English if there are no texts in it. */
export function languageOf(tag: string): Language {
  const known = languagesByTag.get(tag);
  if (known !== undefined) return known;
  const locale = localeOf(tag) ?? 'en';
  const language = { texts: textsByLanguage.get(primaryOf(locale)) ?? en, formats: new Formats(locale) };
  languagesByTag.set(tag, language);
  return language;
}

/** The language that the browser prefers among those that have texts. */
export function preferredLanguage(): string {
  for (const tag of navigator.languages) {
    const locale = localeOf(tag);
    if (locale !== undefined) return locale;
  }
  return 'en';
}

/**
 * A locale that `Intl` accepts: browsers also report locales of the operating system, such as `en-US@posix`. Undefined
 * without texts.
 */
function localeOf(tag: string): string | undefined {
  const primary = primaryOf(tag);
  if (!textsByLanguage.has(primary)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return primary;
  }
}

function primaryOf(tag: string): string {
  return /^[a-z]+/i.exec(tag)?.[0].toLowerCase() ?? '';
}

/** The language of an element: its own or an ancestor's `lang`, otherwise the one that the browser prefers. */
export function languageOfElement(element: Element): string {
  const own = element.closest<HTMLElement>('[lang]:not([lang=""])');
  if (own !== null) return own.lang;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOfElement(root.host) : preferredLanguage();
}

/** Codes that have the text of another. */
const aliases: Record<string, keyof Texts['errors']> = {
  TimeLimitError: 'UnreachableError',
  'no-websocket': 'UnreachableError',
  'invalid-frame': 'invalid-request',
};

/** A sentence for an error code, with the account that the error is about, if there is one. */
export function errorText({ errors, accountErrors }: Texts, code: string, account?: string): string {
  const texts = new Map(Object.entries(errors));
  const accountTexts = new Map(Object.entries(accountErrors));
  const ofAccount = account === undefined ? undefined : accountTexts.get(code)?.(account);
  return ofAccount ?? texts.get(aliases[code] ?? code) ?? errors.unknown;
}
