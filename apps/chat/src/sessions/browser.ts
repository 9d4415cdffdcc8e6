import Bowser from 'bowser';

/** An unknown client may write any name before a slash. */
const maxCharacters = 64;

/**
 * The name and version of the browser that a `User-Agent` header names, such as `Firefox 140.0`; null if it names none.
 */
export function browserIn(userAgent: string): string | null {
  if (userAgent === '') return null;
  // Without the operating system and the engine, which take more time.
  const { name = '', version = '' } = Bowser.getParser(userAgent, true).getBrowser();
  return name === '' ? null : `${name} ${version}`.trim().slice(0, maxCharacters);
}
