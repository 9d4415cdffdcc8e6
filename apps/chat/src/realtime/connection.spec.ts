import { until } from '@waggle/testing';
import { SlowPeer } from '../../test/support/slow-peer';

describe('Connection with several callers that wait for a flush', () => {
  let peer: SlowPeer;
  beforeEach(() => {
    peer = new SlowPeer(1e6, 100);
  });
  afterEach(() => {
    peer.end();
  });

  it('is closed if the peer reads nothing more after the bytes that the first one waits for', async () => {
    const { connection } = peer;
    const first = connection.flushed();
    peer.read();
    connection.send('status', { authenticated: true });
    const second = connection.flushed();
    peer.read();
    await first;
    expect(connection.isOpen).toBe(true);
    await until(() => !connection.isOpen);
    await second;
  });

  it('lets none of them wait for a connection that is closed', async () => {
    const { connection } = peer;
    const flushes = Promise.all([connection.flushed(), connection.flushed()]);
    connection.close('unavailable');
    await flushes;
  });
});
