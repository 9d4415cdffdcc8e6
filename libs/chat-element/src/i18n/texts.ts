import { en, type Texts } from './en';
import { es } from './es';
import { Formats } from './formats';
import { ko } from './ko';

const languages: Record<string, Texts> = { en, es, ko };

/** Texts and formats of a language. */
export interface Language {
  texts: Texts;
  formats: Formats;
}

const loaded = new Map<string, Language>();

/** The language of a tag such as `es-MX`; English if there are no texts in it. */
export function languageOf(tag: string): Language {
  const known = loaded.get(tag);
  if (known !== undefined) return known;
  const texts = textsOf(tag);
  const language = { texts: texts ?? en, formats: new Formats(texts === undefined ? 'en' : tag) };
  loaded.set(tag, language);
  return language;
}

/** The language that the browser prefers of those that there are texts in. */
export function preferredLanguage(): string {
  return navigator.languages.find((tag) => textsOf(tag) !== undefined) ?? 'en';
}

function textsOf(tag: string): Texts | undefined {
  return languages[tag.split('-')[0]?.toLowerCase() ?? ''];
}

/** The language of an element: its own or an ancestor's `lang`, otherwise the one that the browser prefers. */
export function languageOfElement(element: Element): string {
  const own = element.closest<HTMLElement>('[lang]:not([lang=""])');
  if (own !== null) return own.lang;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOfElement(root.host) : preferredLanguage();
}
