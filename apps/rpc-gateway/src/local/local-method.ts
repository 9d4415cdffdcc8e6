/** A method that the gateway answers itself, from its index. */
export interface LocalMethod {
  /** `<namespace>.<query>` */
  readonly name: string;
  /**
   * @param params as they came: an object, an array, or undefined
   * @param isViaCall whether `call` has named the method: then an array of another length is refused by other words
   * @returns what JSON is made of; a `JsonText` is JSON already
   * @throws RpcError
   */
  answer(params: unknown, isViaCall?: boolean): Promise<unknown>;
}
