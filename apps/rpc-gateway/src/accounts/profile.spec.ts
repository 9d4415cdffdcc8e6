import { findProfile, profileOf } from './profile';

const metadata = (profile: unknown) => JSON.stringify({ profile });

const empty = {
  name: '',
  about: '',
  location: '',
  website: '',
  profile_image: '',
  cover_image: '',
  blacklist_description: '',
  muted_list_description: '',
};

it.each<[string, { posting: string; json: string }, object]>([
  ['no metadata', { posting: '', json: '' }, {}],
  [
    'a profile in both',
    { posting: metadata({ name: 'Posting' }), json: metadata({ name: 'Json' }) },
    { name: 'Posting' },
  ],
  [
    'fields in one only',
    { posting: metadata({ name: 'Alice' }), json: metadata({ about: 'Bees' }) },
    { name: 'Alice' },
  ],
  ['metadata without a profile', { posting: '{"a":1}', json: metadata({ name: 'Json' }) }, { name: 'Json' }],
  ['a profile that is a list', { posting: metadata([]), json: metadata({ name: 'Json' }) }, { name: 'Json' }],
  ['invalid JSON', { posting: '{"profile":', json: metadata({ name: 'Json' }) }, { name: 'Json' }],
  ['fields that are not text', { posting: metadata({ name: 7, about: null, website: [] }), json: '' }, {}],
  ['unknown fields', { posting: metadata({ version: 2, pinned: 'a-post' }), json: '' }, {}],
])('reads the profile from %s', (_what, { posting, json }, expected) => {
  const profile = profileOf({ posting_json_metadata: posting, json_metadata: json });
  expect(JSON.stringify(profile)).toBe(JSON.stringify({ ...empty, ...expected }));
});

// As `extract_profile_metadata.sql` of Hivemind.
it.each([
  ['bees.example', 'http://bees.example'],
  ['http://bees.example', 'http://bees.example'],
  ['https://bees.example', 'https://bees.example'],
  ['HTTPS://bees.example', 'http://HTTPS://bees.example'],
  ['', 'http://'],
])('returns the website "%s" as %s', (website, expected) => {
  const posting = metadata({ website });
  expect(profileOf({ posting_json_metadata: posting, json_metadata: '' }).website).toBe(expected);
});

it('finds no profile in JSON without an object', () => {
  expect(['null', '7', '[]', '{}', ''].map(findProfile)).toEqual(Array(5).fill(undefined));
});
