import { type Needs } from '../index-state/needs';
import { type PreparedCall } from './declaration';

/** A method that the gateway implements itself. */
export interface LocalMethod {
  /** `<namespace>.<query>` */
  readonly name: string;
  readonly needs: Needs;
  /**
   * Checks the parameters.
   *
   * @param params an object, an array, or undefined
   * @param isViaCall whether the client used the method `call`: the error for a wrong number of parameters then differs
   * @throws RpcError
   */
  prepare(params: unknown, isViaCall?: boolean): PreparedCall;
}
