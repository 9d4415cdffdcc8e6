import { isFirstCopy } from '../client/first-copy';

/** Defines a class as a custom element. In a later copy of the package, replaces it with the class of the first. */
export function defineElement(name: string) {
  return <T extends CustomElementConstructor>(own: T): T => {
    if (isFirstCopy) customElements.define(name, own);
    return (customElements.get(name) as T | undefined) ?? own;
  };
}
