import { OperationError, type OperationPlace } from '@waggle/chain';
import { type Book } from './book/book';
import { Needs } from './needs';

/** When, in the chain, something happens. */
export interface Moment {
  readonly block: number;
  /** The time of the block before: by it Hive dates what a block does. */
  readonly time: Date;
}

/** What one operation does to the index. */
export interface Effect {
  /** Says what `apply` will look at. */
  readonly need: (needs: Needs, moment: Moment) => void;
  /** Changes the book, in which all that came before has been done already. */
  readonly apply: (book: Book, moment: Moment) => void;
}

const blockIntervalMs = 3_000;

/** What blocks do to the index, in the order of the chain: the operations' handlers note it here. */
export class Effects {
  readonly needs: Needs;
  private readonly placed: { readonly place: OperationPlace; readonly moment: Moment; readonly effect: Effect }[] = [];

  /** @param keptFrom what is older is told to nobody */
  constructor(keptFrom: Date) {
    this.needs = new Needs(keptFrom);
  }

  get areNone(): boolean {
    return this.placed.length === 0;
  }

  add(place: OperationPlace, effect: Effect): void {
    const moment = { block: place.block.number, time: timeBefore(place.block) };
    effect.need(this.needs, moment);
    this.placed.push({ place, moment, effect });
  }

  /** @throws OperationError where one cannot be applied */
  apply(book: Book): void {
    for (const { place, moment, effect } of this.placed) {
      try {
        effect.apply(book, moment);
      } catch (error) {
        throw new OperationError(placeOf(place), error);
      }
    }
  }
}

/** Nothing is before the first block; yet its notifications must not have the ids of those of the second. */
function timeBefore({ number, timestamp, previousTimestamp }: OperationPlace['block']): Date {
  return number === 1 ? new Date(timestamp.getTime() - blockIntervalMs) : previousTimestamp;
}

/** Numbers and ids alone: it is logged, and operations hold what people write. */
function placeOf({ block: { number, id }, operation: { index, type, transactionId, isVirtual } }: OperationPlace) {
  return { block: { number, id }, operation: { index, type, transactionId, isVirtual } };
}
