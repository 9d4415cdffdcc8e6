import { en, type Texts } from './en';
import { Formats } from './formats';

/** The texts of the languages that are loaded. */
const textsByLanguage = new Map<string, Texts>([['en', en]]);

/** Languages that a page loads when it uses them. */
const loaders = new Map<string, () => Promise<Texts>>([
  ['es', async () => (await import('./es')).es],
  ['ko', async () => (await import('./ko')).ko],
]);

const loading = new Map<string, Promise<void>>();

/** Texts and formats of a language. */
export interface Language {
  texts: Texts;
  formats: Formats;
}

const languagesByTag = new Map<string, Language>();

/** The language of a tag such as `es-MX`; English if there are no texts in it, or if they are not loaded. */
export function languageOf(tag: string): Language {
  const known = languagesByTag.get(tag);
  if (known !== undefined) return known;
  const locale = localeOf(tag) ?? 'en';
  const texts = textsByLanguage.get(primaryOf(locale));
  const language = { texts: texts ?? en, formats: new Formats(locale) };
  if (texts !== undefined) languagesByTag.set(tag, language);
  return language;
}

/**
 * Loads the texts of a language. If that fails, its users read English until they load the page again.
 * @returns undefined if nothing is to be loaded
 */
export function loadLanguage(tag: string): Promise<void> | undefined {
  const language = primaryOf(tag);
  const load = loaders.get(language);
  if (load === undefined || textsByLanguage.has(language)) return undefined;
  let done = loading.get(language);
  if (done === undefined) {
    done = load()
      .catch(() => en)
      .then((texts) => {
        textsByLanguage.set(language, texts);
      });
    loading.set(language, done);
  }
  return done;
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
  if (primary !== 'en' && !loaders.has(primary)) return undefined;
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
