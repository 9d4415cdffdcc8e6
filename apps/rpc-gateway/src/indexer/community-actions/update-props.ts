import { type Community } from '../changeset/communities';
import { type CommunityAction } from './community-action';
import { allowKeys, booleanOf, objectOf, type Payload, textOf, valueOf } from './payload';
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

/** ISO 639-1 without Zulu, which public gateways lack. */
const languages = new Set(
  `aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
  kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
  ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
  tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh`.split(/\s+/),
);

function isLanguage(code: string): boolean {
  return languages.has(code);
}

/**
 * Formats JSON as PostgreSQL prints `jsonb`, which clients of public gateways expect: a space after each colon and
 * comma, and shorter keys first. `jsonb` itself rejects some characters.
 */
function postgresJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(postgresJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => compareKeys(one, other));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${postgresJson(item)}`).join(', ')}}`;
}

function compareKeys(one: string, other: string): number {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length - second.length || first.compare(second);
}
