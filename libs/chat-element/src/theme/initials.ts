import { firstCharacter } from '../text/characters';

/** The first characters of a name's first two parts. */
export function initialsOf(name: string): string {
  const [first = '', second = ''] = name.split(/[.\-_ ]+/).filter((part) => part !== '');
  return firstCharacter(first) + firstCharacter(second);
}
