import { type Community } from '../changeset/communities';
import { type CommunityAction } from './community-action';
import { isLanguage } from './languages';
import { allowKeys, booleanOf, objectOf, type Payload, textOf, valueOf } from './payload';
import { postgresJson } from './postgres-json';
import { rejectUnless } from './community-action-error';

type PropParser = (props: Payload, key: string) => Partial<Community>;

const maxTextLength = 1_000;
const maxUrlLength = 1_023;

/** The properties of a community that may change, each with its parser. */
const propParsers = new Map<string, PropParser>([
  ['title', (props, key) => ({ title: titleOf(props, key) })],
  ['about', (props, key) => ({ about: textOf(props, key, { maxLength: 120, mayBeBlank: true }) })],
  ['lang', (props, key) => ({ lang: languageOf(props, key) })],
  ['is_nsfw', (props, key) => ({ isNsfw: booleanOf(props, key) })],
  [
    'description',
    (props, key) => ({ description: textOf(props, key, { maxLength: maxTextLength, mayBeBlank: true }) }),
  ],
  ['flag_text', (props, key) => ({ flagText: textOf(props, key, { maxLength: maxTextLength, mayBeBlank: true }) })],
  ['settings', (props, key) => ({ settings: settingsOf(props, key) })],
  ['type_id', (props, key) => ({ typeId: typeOf(props, key) })],
]);

export const updateProps: CommunityAction = {
  name: 'updateProps',
  keys: ['props'],
  apply: (context) => {
    const props = objectOf(context.payload, 'props');
    allowKeys(props, [...propParsers.keys()]);
    // Before the role: public gateways report an invalid property also to accounts that may not change it.
    const changed = parseProps(props);
    context.requireRole('admin', 'only admins can update props');
    context.changeset.communities.change(context.community.id, () => changed);
    context.notifyTeam('set_props', { payload: postgresJson(props) });
  },
};

function parseProps(props: Payload): Partial<Community> {
  let changed: Partial<Community> = {};
  for (const [key, parse] of propParsers) if (Object.hasOwn(props, key)) changed = { ...changed, ...parse(props, key) };
  return changed;
}

function titleOf(props: Payload, key: string): string {
  const title = textOf(props, key, { maxLength: 20 });
  rejectUnless(Array.from(title).length >= 3, 'title too short');
  rejectUnless(!/^[@#]/.test(title), 'invalid title prefix');
  return title;
}

function languageOf(props: Payload, key: string): string {
  const language = textOf(props, key, { maxLength: 2 });
  // The text of public gateways, which names the key and not the value.
  rejectUnless(isLanguage(language), `invalid lang: ${key}`);
  return language;
}

/**
 * Returns the settings as JSON. Only the URLs of images, which clients display, are checked; other keys are kept as
 * they are.
 */
function settingsOf(props: Payload, key: string): string {
  const settings = objectOf(props, key);
  for (const name of ['avatar_url', 'cover_url']) {
    const url = valueOf(settings, name);
    if (url === undefined || url === null || url === '') continue;
    rejectUnless(typeof url === 'string', 'url was not string');
    rejectUnless(url.length <= maxUrlLength, 'url must be shorter than 1024 characters');
    rejectUnless(/^https?:\/\//.test(url), `invalid ${name}`);
  }
  return JSON.stringify(settings);
}

function typeOf(props: Payload, key: string): number {
  const type = valueOf(props, key);
  rejectUnless(Number.isInteger(type), `must be int: ${key}`);
  rejectUnless(type === 1 || type === 2 || type === 3, 'invalid community type');
  return type;
}
