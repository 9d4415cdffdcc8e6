import { type Community } from '../book/communities';
import { type CommunityAction } from './community-action';
import { isLanguage } from './languages';
import { booleanOf, objectOf, type Payload, requireKeys, textOf, valueOf } from './payload';
import { spacedJson } from './spaced-json';
import { refuseUnless } from './refusal';

type Change = (props: Payload, key: string) => Partial<Community>;

const longestText = 1_000;
const longestUrl = 1_023;

/** What of a community may be changed, and how each is read. */
const changes = new Map<string, Change>([
  ['title', (props, key) => ({ title: titleOf(props, key) })],
  ['about', (props, key) => ({ about: textOf(props, key, { most: 120, mayBeBlank: true }) })],
  ['lang', (props, key) => ({ lang: languageOf(props, key) })],
  ['is_nsfw', (props, key) => ({ isNsfw: booleanOf(props, key) })],
  ['description', (props, key) => ({ description: textOf(props, key, { most: longestText, mayBeBlank: true }) })],
  ['flag_text', (props, key) => ({ flagText: textOf(props, key, { most: longestText, mayBeBlank: true }) })],
  ['settings', (props, key) => ({ settings: settingsOf(props, key) })],
  ['type_id', (props, key) => ({ typeId: typeOf(props, key) })],
]);

export const updateProps: CommunityAction = {
  name: 'updateProps',
  keys: ['props'],
  act: (call) => {
    const props = objectOf(call.payload, 'props');
    requireKeys(props, [...changes.keys()], false);
    const changed = changesOf(props);
    call.requireRole('admin', 'only admins can update props');
    call.book.communities.change(call.community.id, () => changed);
    call.tellTeam('set_props', { payload: spacedJson(props) });
  },
};

function changesOf(props: Payload): Partial<Community> {
  let changed: Partial<Community> = {};
  for (const [key, read] of changes) if (Object.hasOwn(props, key)) changed = { ...changed, ...read(props, key) };
  return changed;
}

function titleOf(props: Payload, key: string): string {
  const title = textOf(props, key, { most: 20 });
  refuseUnless(Array.from(title).length >= 3, 'title too short');
  refuseUnless(!/^[@#]/.test(title), 'invalid title prefix');
  return title;
}

function languageOf(props: Payload, key: string): string {
  const language = textOf(props, key, { most: 2 });
  refuseUnless(isLanguage(language), `invalid lang: ${key}`);
  return language;
}

/** Clients show the images that it names. */
function settingsOf(props: Payload, key: string): string {
  const settings = objectOf(props, key);
  for (const name of ['avatar_url', 'cover_url']) {
    const url = valueOf(settings, name);
    if (url === undefined || url === null || url === '') continue;
    refuseUnless(typeof url === 'string', 'url was not string');
    refuseUnless(url.length <= longestUrl, 'url must be shorter than 1024 characters');
    refuseUnless(/^https?:\/\//.test(url), `invalid ${name}`);
  }
  return JSON.stringify(settings);
}

function typeOf(props: Payload, key: string): number {
  const type = valueOf(props, key);
  refuseUnless(type === 1 || type === 2 || type === 3, 'invalid community type');
  return type;
}
