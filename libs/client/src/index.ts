// For Node. Pages and mobile applications get ./browser, by the conditions in package.json.
export * from './browser';
export { Chat } from './node-chat';
