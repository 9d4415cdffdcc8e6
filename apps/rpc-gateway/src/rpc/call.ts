import { type RpcError } from '@waggle/contracts';
import { type AnswerRoom } from './answer-room';

/** One call, as it is routed: `call` with `[namespace, query, params]` is made one with `<namespace>.<query>`. */
export interface Call {
  /** The JSON text of its id, as it came; undefined of a notification, which is not answered. */
  readonly id: string | undefined;
  /** `<namespace>.<query>` */
  readonly method: string;
  /** An object, an array, or undefined. */
  readonly params: unknown;
  /** The JSON text of `params`. Numbers are as they came, also those that JavaScript cannot hold. */
  readonly paramsText: string | undefined;
  /** Whether `call` has named the method: local methods count such parameters by other rules. */
  readonly isViaCall: boolean;
  /** For its answer and those to the other calls of the same body. */
  readonly room: AnswerRoom;
}

/** What came in the place of a call. `id`: `null` where it cannot be told. */
export interface Refusal {
  readonly id: string;
  readonly error: RpcError;
}
