import type { ConversationChange } from '@waggle/client/browser';
import type { ChatData } from './chat-data';
import { withEntry } from './maps';
import { isUnloaded } from './message-window';

/** A part of a stream: after one sequence number, up to another one. */
export interface SeqRange {
  after: number;
  /** Infinite: up to the newest one. */
  until: number;
}

/** The changes of a conversation in one part of its stream, in ascending order. */
export interface LoadedChanges extends SeqRange {
  items: readonly ConversationChange[];
}

/** Where the changes between the loaded messages of a conversation are not loaded. */
export function missingChanges(data: ChatData, id: string): SeqRange | undefined {
  const window = data.windows.get(id);
  if (window === undefined || isUnloaded(window) || data.conversations.get(id)?.type === 'dm') return undefined;
  const wanted = {
    after: window.startSeq,
    until: window.reachesEnd ? Infinity : (window.messages.at(-1)?.seq ?? window.startSeq),
  };
  const loaded = data.changes.get(id);
  if (loaded === undefined || !adjoins(wanted, loaded)) return wanted;
  if (wanted.after < loaded.after) return { after: wanted.after, until: loaded.after };
  return wanted.until > loaded.until ? { after: loaded.until, until: wanted.until } : undefined;
}

/** Adds the changes of a part of the stream. They replace the loaded ones if something is missing between the two. */
export function withChanges(data: ChatData, id: string, added: LoadedChanges): ChatData {
  const loaded = data.changes.get(id);
  const kept = new Map([...data.changes].filter(([each]) => data.windows.has(each) || data.former.has(each)));
  return { ...data, changes: withEntry(kept, id, loaded && adjoins(added, loaded) ? merge(loaded, added) : added) };
}

/** Notes that a change exists which may not be loaded. */
export function expectChange(data: ChatData, id: string, seq: number): ChatData {
  const loaded = data.changes.get(id);
  if (loaded === undefined || loaded.until < seq) return data;
  return { ...data, changes: withEntry(data.changes, id, { ...loaded, until: seq - 1 }) };
}

function adjoins(one: SeqRange, other: SeqRange): boolean {
  return one.after <= other.until && other.after <= one.until;
}

function merge(one: LoadedChanges, other: LoadedChanges): LoadedChanges {
  const bySeq = new Map([...one.items, ...other.items].map((change) => [change.seq, change]));
  return {
    after: Math.min(one.after, other.after),
    until: Math.max(one.until, other.until),
    items: [...bySeq.values()].toSorted((a, b) => a.seq - b.seq),
  };
}
