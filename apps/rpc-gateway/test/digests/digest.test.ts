import { Client } from 'pg';
import { createManifest } from '../../src/snapshot/digest';
import { formatName, formatVersion, schemaVersion } from '../../src/snapshot/manifest';
import { digestDocumentOf } from '../../src/digests/digest-document';
import { GatewayUnderTest } from '../support/gateway-under-test';
import { ScriptedNode } from '../support/scripted-node';

describe('GET /index/digest', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  const head = {
    format: formatName,
    version: formatVersion,
    schema: schemaVersion,
    chain_id: 'ab'.repeat(32),
    block: { number: 864_000, id: '000d2f00'.padEnd(40, '0'), time: '2016-04-24T00:00:00.000Z' },
    index: {
      first_block: 1,
      begins: '2016-03-24T16:00:00.000Z',
      notification_days: 90,
      notifications_from: '2016-03-24T16:00:00.000Z',
      has_posts: true,
      has_votes: true,
      body_days: null,
      bodies_from: '2016-03-24T16:00:00.000Z',
      next_account_id: 5,
      next_post_id: '1',
    },
  } as const;
  const sections = [{ table: 'account', columns: ['id', 'name'], rows: 4, sha256: 'cd'.repeat(32) }];
  const document = digestDocumentOf(
    head,
    createManifest(head, sections, { ids_are_hashes: true, has_producer_rewards: true }),
  );

  beforeAll(async () => {
    node = await ScriptedNode.start();
    gateway = await GatewayUnderTest.start([node.url]);
    const client = new Client({ connectionString: gateway.database.url });
    await client.connect();
    await client.query('INSERT INTO index_digest (block_number, computed_at, document) VALUES (864000, now(), $1)', [
      JSON.stringify(document),
    ]);
    await client.end();
  });
  afterAll(async () => {
    await gateway.stop();
    await node.stop();
  });

  it('returns the digest of an agreed block', async () => {
    const { status, text } = await gateway.get('/index/digest?block=864000');
    expect([status, JSON.parse(text)]).toEqual([200, document]);
    // A change of the format would make digests differ between versions.
    expect(document.digest).toBe('7a262427fa1796d47cec1a183858c4b9218573a42423bdf8ac691c6569caf4d5');
  });

  it.each([
    ['/index/digest?block=864001', 404, 'no-digest'],
    ['/index/digest?block=0', 400, 'invalid-request'],
    ['/index/digest?block=head', 400, 'invalid-request'],
    ['/index/digest', 400, 'invalid-request'],
  ])('returns an error for %s', async (path, status, code) => {
    const response = await fetch(`${gateway.url}${path}`);
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ code })]);
    // The digest may exist a moment later.
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });
});
