import { z } from 'zod';

/** What a profile says, if it says it by a text; the order is that of the answer. */
const profileFields = [
  'name',
  'about',
  'location',
  'website',
  'profile_image',
  'cover_image',
  'blacklist_description',
  'muted_list_description',
] as const;

export const profile = z.record(z.enum(profileFields), z.string());
export type Profile = z.infer<typeof profile>;

const profiled = z.object({ profile: z.record(z.string(), z.unknown()) });

/** The profile in the metadata of an account: the one signed with the posting key is preferred. Missing texts are empty. */
export function profileOf(metadata: { json_metadata: string; posting_json_metadata: string }): Profile {
  const said = findProfile(metadata.posting_json_metadata) ?? findProfile(metadata.json_metadata) ?? {};
  const texts = profileFields.map((field) => [field, textOf(field, said[field])]);
  return profile.parse(Object.fromEntries(texts));
}

/** A website without a scheme has one put before it, an empty one too, as the network's gateways do. */
function textOf(field: string, value: unknown): string {
  if (typeof value !== 'string') return '';
  return field === 'website' && !/^https?:\/\//.test(value) ? `http://${value}` : value;
}

function findProfile(json: string): Record<string, unknown> | undefined {
  try {
    return profiled.safeParse(JSON.parse(json)).data?.profile;
  } catch {
    return undefined;
  }
}
