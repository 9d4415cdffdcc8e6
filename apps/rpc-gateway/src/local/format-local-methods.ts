import { formatTextTable } from '@waggle/service';
import { type IndexView } from '../index-state/index-view';
import { unmetNeeds } from '../index-state/needs';
import { local, type Route } from '../routes/route';
import { localMethods } from './local-methods';

/** Formats a text table of the local methods: where each is answered at the moment, and why not from the index. */
export function formatLocalMethods(routes: readonly Route[], view: IndexView): string {
  const rows = routes.filter(({ to }) => to === local).map((route) => cellsOf(route, view));
  return [indexLine(view), '', ...formatTextTable(['local method', 'now', 'because'], rows)].join('\n');
}

function cellsOf({ name, fallback }: Route, view: IndexView): string[] {
  const needs = localMethods.get(name)?.needs ?? [];
  if (needs.length === 0) return [name, 'no index', 'It does not read the index.'];
  const reasons = unmetNeeds(needs, view).map(({ reason }) => reason);
  if (reasons.length === 0) return [name, 'index', ''];
  return [name, fallback?.to ?? 'error', [...new Set(reasons)].join(' ')];
}

function indexLine({ contents, lag }: IndexView): string {
  if (typeof contents === 'string') return `index: ${contents}`;
  const behind = lag === undefined ? 'lag unknown' : `${lag.seconds} s behind the last irreversible block`;
  return `index: block ${contents.block}, ${behind}`;
}
