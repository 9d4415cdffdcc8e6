/** Where a client got a cursor from: an index like this one, or a node of the network. */
export type CursorSource = 'index' | 'node';
