import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientKeyFor } from './client-key';

/** A request over a connection from `peer`, which says that it forwards it for others. */
function requestFrom(peer: string, forwardedFor: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  request.headers['x-forwarded-for'] = forwardedFor;
  return request;
}

it('is the address that a trusted proxy forwards', () => {
  const keyOf = clientKeyFor(['uniquelocal', '192.0.2.0/24']);
  expect(keyOf(requestFrom('10.1.2.3', '198.51.100.7'))).toBe('198.51.100.7');
  expect(keyOf(requestFrom('192.0.2.9', '203.0.113.1, 198.51.100.7, 10.0.0.1'))).toBe('198.51.100.7');
});

it('is the address of the connection if no trusted proxy opened it', () => {
  expect(clientKeyFor(['uniquelocal'])(requestFrom('203.0.113.5', '198.51.100.7'))).toBe('203.0.113.5');
  expect(clientKeyFor([])(requestFrom('10.1.2.3', '198.51.100.7'))).toBe('10.1.2.3');
});
