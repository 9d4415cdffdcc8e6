import type { BrowserStorage } from './browser-storage';
import { isRecord } from './browser-storage';

/** The choices of each setting. */
export const appearanceChoices = {
  theme: ['system', 'light', 'dark'],
  textSize: ['small', 'normal', 'large'],
  density: ['comfortable', 'compact'],
} as const;

type Choices = typeof appearanceChoices;

/** How the chat looks in this browser. */
export type Appearance = { readonly [Setting in keyof Choices]: Choices[Setting][number] };

export const defaultAppearance: Appearance = { theme: 'system', textSize: 'normal', density: 'comfortable' };

const key = 'appearance';

/** @returns the stored appearance, with the defaults of what is missing or unknown */
export function readAppearance(storage: BrowserStorage): Appearance {
  const value = storage.read(key);
  const stored = isRecord(value) ? value : {};
  const { theme, textSize, density } = appearanceChoices;
  return {
    theme: choiceOf(stored['theme'], theme) ?? defaultAppearance.theme,
    textSize: choiceOf(stored['textSize'], textSize) ?? defaultAppearance.textSize,
    density: choiceOf(stored['density'], density) ?? defaultAppearance.density,
  };
}

export function writeAppearance(storage: BrowserStorage, appearance: Appearance): void {
  storage.write(key, appearance);
}

/** Calls a listener when another tab changes the appearance. */
export function onAppearanceChange(storage: BrowserStorage, listener: (appearance: Appearance) => void): void {
  storage.onChange(key, () => {
    listener(readAppearance(storage));
  });
}

function choiceOf<Choice extends string>(value: unknown, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === value);
}
