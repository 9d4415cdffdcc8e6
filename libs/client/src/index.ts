// For Node.js. Bundlers for browsers pick ./browser by the condition `browser` in package.json.
export * from './browser';
export { Chat } from './node-chat';
