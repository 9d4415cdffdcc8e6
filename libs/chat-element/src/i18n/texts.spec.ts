import { en } from './en';
import { es } from './es';
import { daysBetween, Formats } from './formats';
import { ko } from './ko';
import { errorText, languageOf, loadLanguage } from './texts';

it.each([
  ['en', en, 1, '1 unread message'],
  ['en', en, 1_200, '1,200 unread messages'],
  ['es', es, 2, '2 mensajes sin leer'],
  ['ko', ko, 1, '읽지 않은 메시지 1개'],
])('counts in %s', (language, texts, count, text) => {
  expect(texts.unread(count, new Formats(language))).toBe(text);
});

it('uses the plural form of the language', () => {
  expect(new Formats('en').plural(5, { other: '# of them' })).toBe('5 of them');
});

it.each([
  ['es-MX', es, 'es-MX'],
  ['en-US@posix', en, 'en'],
  ['ko_KR.UTF-8', ko, 'ko'],
  ['fr', en, 'en'],
  ['', en, 'en'],
  ['constructor', en, 'en'],
])('accepts the language %j', async (tag, texts, locale) => {
  await loadLanguage(tag);
  const language = languageOf(tag);
  expect(language.texts).toBe(texts);
  expect(language.formats.language).toBe(locale);
});

it('loads the texts of a language once', async () => {
  await loadLanguage('es');
  expect(loadLanguage('es-MX')).toBeUndefined();
  expect(loadLanguage('fr')).toBeUndefined();
});

it.each([
  ['not-found', en.errors['not-found']],
  ['invalid-frame', en.errors['invalid-request']],
  ['TimeLimitError', en.errors.UnreachableError],
  ['no-websocket', en.errors.UnreachableError],
  ['another-code', en.errors.unknown],
  ['constructor', en.errors.unknown],
])('has a text for the error code %s', (code, text) => {
  expect(errorText(en, code)).toBe(text);
});

it.each([
  ['en', en, 'moderator'],
  ['es', es, 'modera'],
  ['ko', ko, '운영자'],
])('has one word for moderators in %s', (_, texts, word) => {
  const { conversationChanges: changes } = texts;
  const sentences = [
    texts.moderator,
    texts.addModerator,
    texts.removeModerator,
    texts.moderatorAdded('bob'),
    texts.moderatorRemoved('bob'),
    changes['moderator-added']('alice', 'bob'),
    changes['moderator-removed']('alice', 'bob'),
  ];
  expect(sentences.filter((sentence) => !sentence.toLowerCase().includes(word))).toEqual([]);
});

it('counts calendar days', () => {
  expect(daysBetween(new Date(2026, 2, 28, 23, 59), new Date(2026, 2, 30, 0, 1))).toBe(2);
  expect(daysBetween(new Date(2026, 2, 28, 0, 1), new Date(2026, 2, 28, 23, 59))).toBe(0);
});
