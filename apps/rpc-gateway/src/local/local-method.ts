/** A method that the gateway implements itself. */
export interface LocalMethod {
  /** `<namespace>.<query>` */
  readonly name: string;
  /**
   * @param params an object, an array, or undefined
   * @param isViaCall whether the client used the method `call`: the error for a wrong number of parameters then differs
   * @returns a value for `JSON.stringify`, or a `JsonText`
   * @throws RpcError
   */
  call(params: unknown, isViaCall?: boolean): Promise<unknown>;
}
