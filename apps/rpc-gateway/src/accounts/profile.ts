import { z } from 'zod';

/** The fields of a profile, in the order of the response. */
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
type Profile = z.infer<typeof profile>;

/** Metadata with a profile, whose fields are not validated here: there may be thousands. */
const profiled = z.object({ profile: z.custom<Record<string, unknown>>(isPlainObject) });

/** Reads the profile of an account; the one signed with the posting key takes precedence. Missing fields are empty. */
export function profileOf(metadata: { json_metadata: string; posting_json_metadata: string }): Profile {
  const found = findProfile(metadata.posting_json_metadata) ?? findProfile(metadata.json_metadata) ?? {};
  const texts = profileFields.map((field) => [field, textOf(field, found[field])]);
  return profile.parse(Object.fromEntries(texts));
}

/** Adds a scheme to a website without one, even to an empty one, as the network's gateways do. */
function textOf(field: string, value: unknown): string {
  if (typeof value !== 'string') return '';
  return field === 'website' && !/^https?:\/\//.test(value) ? `http://${value}` : value;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the profile in the metadata of an account; undefined if there is none. */
export function findProfile(json: string): Record<string, unknown> | undefined {
  try {
    return profiled.safeParse(JSON.parse(json)).data?.profile;
  } catch {
    return undefined;
  }
}
