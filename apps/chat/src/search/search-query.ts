import { accountName, identifier, maxInstantMs } from '@waggle/contracts';
import { ChatError } from '../errors';
import {
  featureNames,
  features,
  featureTerm,
  selectiveTermsOf,
  senderTerm,
  type Feature,
  type SearchedMessage,
  type Unit,
  unitsOf,
  searchedText,
} from './search-text';

/** Maximum number of words, phrases and filters. */
const maxParts = 32;
/** Maximum number of words in them, where a character of a script without spaces counts as a word. */
const maxUnits = 64;

/** What is searched for. A message must meet all conditions. */
export interface SearchQuery {
  /** Words and phrases: units that follow each other. */
  phrases: Unit[][];
  /** The terms that a message must have, the most selective ones first. At least one. */
  terms: string[];
  sender: string | undefined;
  features: Feature[];
  conversationId: string | undefined;
  /** Only messages that were sent from this instant on, in milliseconds since 1970. */
  fromMs: number;
  /** Only messages that were sent before this instant. */
  beforeMs: number;
}

const filterNames = ['from', 'in', 'before', 'after', 'has'] as const;
type Filter = (typeof filterNames)[number];
const filterPattern = /^(?<name>[a-z]+):(?<value>.+)$/is;

/** A parsed text: its words and phrases, its filters except `has:`, and what `has:` requires. */
interface QueryParts {
  phrases: Unit[][];
  filters: ReadonlyMap<Filter, string>;
  has: ReadonlySet<Feature>;
}

/**
 * Parses words, "phrases", `from:account`, `in:conversation`, `before:date`, `after:date`, `has:link` and `has:image`.
 * A phrase may lack its second quotation mark. Signs and symbols are left out, as in the texts of messages.
 *
 * @throws ChatError `invalid-request` if a filter is not valid or occurs twice, there are too many words, or none
 */
export function parseSearchQuery(text: string): SearchQuery {
  const { phrases, filters, has } = splitQuery(text);
  const parseAccount = (value: string) => accountName.safeParse(value.replace(/^@/, '').toLowerCase()).data;
  const sender = parseFilter(filters, 'from', parseAccount);
  // The most selective first: a sender, then long words.
  const terms = phrases.flatMap(selectiveTermsOf).toSorted((a, b) => b.length - a.length);
  if (sender !== undefined) terms.unshift(senderTerm(sender));
  terms.push(...Array.from(has, featureTerm));
  if (terms.length === 0) throw invalid('nothing to search for: words, from: or has: are needed');
  return {
    phrases,
    terms: [...new Set(terms)],
    sender,
    features: [...has],
    conversationId: parseFilter(filters, 'in', (value) => identifier.safeParse(value).data),
    fromMs: parseFilter(filters, 'after', parseDate) ?? 0,
    beforeMs: parseFilter(filters, 'before', parseDate) ?? maxInstantMs,
  };
}

/** @throws ChatError `invalid-request` */
function splitQuery(text: string): QueryParts {
  const phrases: Unit[][] = [];
  const filters = new Map<Filter, string>();
  const has = new Set<Feature>();
  // Quotation marks of other languages too.
  const parts = [...text.matchAll(/["“”„«»](?<phrase>[^"“”„«»]*)|(?<word>[^\s"“”„«»]+)/g)];
  if (parts.length > maxParts) throw invalid(`more than ${maxParts} words`);
  for (const { groups = {} } of parts) {
    const { name, value } = filterPattern.exec(groups['word'] ?? '')?.groups ?? {};
    const filter = filterOf(name);
    if (filter === undefined || value === undefined) {
      const units = unitsOf(groups['phrase'] ?? groups['word'] ?? '');
      if (units.length > 0) phrases.push(units);
    } else if (filter === 'has') {
      has.add(parseFeature(value));
    } else {
      if (filters.has(filter)) throw invalid(`${filter}: is given twice`);
      filters.set(filter, value);
    }
  }
  if (phrases.reduce((sum, { length }) => sum + length, 0) > maxUnits) throw invalid(`more than ${maxUnits} words`);
  return { phrases, filters, has };
}

function filterOf(name: string | undefined): Filter | undefined {
  const lower = name?.toLowerCase();
  return filterNames.find((filter) => filter === lower);
}

function parseFilter<T>(
  filters: ReadonlyMap<Filter, string>,
  filter: Filter,
  parse: (value: string) => T | undefined,
): T | undefined {
  const value = filters.get(filter);
  if (value === undefined) return undefined;
  const parsed = parse(value);
  if (parsed === undefined) throw invalid(`${filter}: is not valid`);
  return parsed;
}

function parseFeature(value: string): Feature {
  const feature = featureNames.find((name) => name === value.toLowerCase());
  if (feature === undefined) throw invalid(`has: knows only ${featureNames.join(', ')}`);
  return feature;
}

/** Parses a day, which begins at 00:00 UTC, or an ISO 8601 time with a zone, to milliseconds. */
function parseDate(value: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/i.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxInstantMs);
}

function invalid(reason: string): ChatError {
  return new ChatError('invalid-request', `q: ${reason}`);
}

/** A range of a text, in UTF-16 code units. */
interface Range {
  start: number;
  end: number;
}

/** Maximum number of ranges that are returned of a message. */
const maxMatches = 100;

/**
 * Whether a message meets the conditions, apart from those on time and conversation.
 *
 * @returns where the text has the words and phrases, in order and without overlaps; undefined if it does not
 */
export function matchMessage(query: SearchQuery, message: SearchedMessage): Range[] | undefined {
  if (query.sender !== undefined && query.sender !== message.sender) return undefined;
  if (!query.features.every((name) => features[name](message))) return undefined;
  const units = unitsOf(searchedText(message));
  const ranges: Range[] = [];
  for (const phrase of query.phrases) {
    const found = units.flatMap((first, i) => {
      if (!isAt(units, i, phrase)) return [];
      return [{ start: first.start, end: units[i + phrase.length - 1]?.end ?? first.end }];
    });
    if (found.length === 0) return undefined;
    ranges.push(...found);
  }
  return withoutOverlaps(ranges).slice(0, maxMatches);
}

/** Whether a text has a phrase at a position among its units. */
function isAt(units: readonly Unit[], position: number, phrase: readonly Unit[]): boolean {
  return phrase.every(({ term, start, isCharacter }, i) => {
    const found = units[position + i];
    if (found?.term !== term) return false;
    // Characters that are adjacent in the search are adjacent in the text, as in the terms of the index.
    const [before, foundBefore] = [phrase[i - 1], units[position + i - 1]];
    const isAdjacent = isCharacter && before?.isCharacter === true && before.end === start;
    return !isAdjacent || foundBefore?.end === found.start;
  });
}

function withoutOverlaps(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}
