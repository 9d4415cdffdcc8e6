import { challenge } from '@waggle/contracts';
import { documentedRedisUser, exampleIn, startRedisCluster, type RedisCluster } from '@waggle/testing';
import { authPath, errorOf, jsonOf, loginBody, loginPath, loginWith } from '../support/video-auth-client';
import { VideoAuthUnderTest, type VideoAuthInstance } from '../support/video-auth-under-test';

/** The service's Redis user has exactly the documented permissions. */
const user = documentedRedisUser(exampleIn('k8s/README.md', 'A user of Redis for each service'), 'video-auth');

describe('two instances on a Redis Cluster of three masters', () => {
  let cluster: RedisCluster;
  let service: VideoAuthUnderTest;
  let instances: [VideoAuthInstance, VideoAuthInstance];
  beforeAll(async () => {
    // The remaining masters continue to serve their slots.
    cluster = await startRedisCluster({ settings: { 'cluster-require-full-coverage': 'no', ...user.settings } });
    service = await VideoAuthUnderTest.startWithRedis({}, user.urlFor(cluster.url));
    instances = [service.instance, await service.addInstance()];
  });
  afterAll(async () => {
    await service.stop();
    await cluster.stop();
  });

  /** Sends the same proof to both instances at the same moment. */
  async function sendToBoth(account: string): Promise<string[]> {
    const body = loginBody(account);
    const outcomes = instances.map(async (instance) => {
      const response = await instance.post(loginPath, body);
      return response.status === 201 ? 'token' : (await errorOf(response)).errorType;
    });
    return (await Promise.all(outcomes)).toSorted();
  }

  it('issue exactly one token for a proof, whichever master stores it, and accept challenges of each other', async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await sendToBoth('alice')).toEqual(['PROOF_REPLAYED', 'token']);
    }
    const response = await instances[0].post(`${authPath}/challenge`, { username: 'carol', network: 'hive' });
    const { proof_payload: text } = await jsonOf(response, challenge, 201);
    await instances[1].logIn('carol', loginWith('carol', text));
    // Without a permission, each instance would count a limit for itself, unnoticed.
    for (const node of cluster.nodes) expect(await node.command('ACL LOG')).toBe('*0\r\n');
  });

  it('reject log-ins that need a failed master, and stay ready for those of the others', async () => {
    await cluster.nodes[0]?.kill();
    const seen = new Set<string>();
    while (seen.size < 2) {
      const outcomes = await sendToBoth('bob');
      expect([
        ['PROOF_REPLAYED', 'token'],
        ['UNAVAILABLE', 'UNAVAILABLE'],
      ]).toContainEqual(outcomes);
      seen.add(outcomes.join());
    }
    for (const { url } of instances) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });
});
