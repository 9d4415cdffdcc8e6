import { type IndexView } from './index-view';
import { needNames, unmetNeeds } from './needs';

/** Describes the index for `GET /health/ready`. */
export function reportIndex(view: IndexView): Readonly<Record<string, unknown>> {
  const { contents, lag } = view;
  const reasons = new Map(unmetNeeds(needNames, view).map(({ need, reason }) => [need, reason]));
  return {
    block: typeof contents === 'string' ? undefined : contents.block,
    lagSeconds: lag?.seconds,
    needs: Object.fromEntries(needNames.map((need) => [need, reasons.get(need) ?? 'met'])),
  };
}
