// Writes dist/emoji-names.json: emoji by the names that Mattermost (iamcal) and Rocket.Chat (JoyPixels) give them.
// The build runs it, since emojibase-data is too large for the image.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const data = require('emojibase-data/en/data.json');
const iamcal = require('emojibase-data/en/shortcodes/iamcal.json');
const joypixels = require('emojibase-data/en/shortcodes/joypixels.json');

/** What the chat accepts; see libs/contracts/src/chat/emoji.ts. */
const oneEmoji = /^\p{RGI_Emoji}$/v;
const names = {};
for (const { hexcode, emoji: given } of data.flatMap((each) => [each, ...(each.skins ?? [])])) {
  const emoji = [given, given.replace(/\uFE0F$/, '')].find((each) => oneEmoji.test(each));
  if (emoji === undefined) continue;
  for (const name of [joypixels[hexcode], iamcal[hexcode]].flat()) if (name !== undefined) names[name] = emoji;
}
mkdirSync(new URL('dist/', import.meta.url), { recursive: true });
writeFileSync(new URL('dist/emoji-names.json', import.meta.url), JSON.stringify(names));
