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

export const profileSchema = z.record(z.enum(profileFields), z.string());
type Profile = z.infer<typeof profileSchema>;

type UncheckedFields = Readonly<Record<string, unknown>>;

/** Metadata that contains a profile. Its fields are not validated here, because there may be thousands. */
const metadataWithProfile = z.object({ profile: z.custom<UncheckedFields>(isPlainObject) });

/** Returns the profile in the metadata of an account; undefined if there is none or the JSON is invalid. */
export function findProfile(json: string): UncheckedFields | undefined {
  try {
    return metadataWithProfile.safeParse(JSON.parse(json)).data?.profile;
  } catch {
    return undefined;
  }
}

/**
 * Returns the profile of an account, from `posting_json_metadata` if it has one there, otherwise from `json_metadata`.
 * Fields that are missing or not text are empty.
 */
export function profileOf(metadata: { json_metadata: string; posting_json_metadata: string }): Profile {
  const fields = findProfile(metadata.posting_json_metadata) ?? findProfile(metadata.json_metadata) ?? {};
  return {
    name: fieldText(fields['name']),
    about: fieldText(fields['about']),
    location: fieldText(fields['location']),
    website: websiteText(fields['website']),
    profile_image: fieldText(fields['profile_image']),
    cover_image: fieldText(fields['cover_image']),
    blacklist_description: fieldText(fields['blacklist_description']),
    muted_list_description: fieldText(fields['muted_list_description']),
  };
}

/** Returns the text of a field; `''` if it is not text. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Adds a scheme to a website without one. Like Hivemind, it adds one to an empty text too, and expects the scheme in
 * lower case.
 */
function websiteText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return /^https?:\/\//.test(value) ? value : `http://${value}`;
}

function isPlainObject(value: unknown): value is UncheckedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
