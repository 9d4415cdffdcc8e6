import { errorOf, loginBody, loginPath } from './video-auth-client';
import { freshDatabase, VideoAuthUnderTest, type VideoAuthInstance } from './video-auth-under-test';

/** `RUNS=1000 npx jest test/replay` is the long form. */
const rounds = Number(process.env['RUNS'] ?? 20);
jest.setTimeout(60_000 + rounds * 200);

const seedNames = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];

/** Sends the same proof to each instance at the same moment. */
async function sendToAll(instances: VideoAuthInstance[], body: object): Promise<string[]> {
  const outcomes = instances.map(async (instance) => {
    const response = await instance.post(loginPath, body);
    return response.status === 201 ? 'token' : (await errorOf(response)).errorType;
  });
  return (await Promise.all(outcomes)).toSorted();
}

describe('a proof that is used twice concurrently', () => {
  it(`yields exactly one token at two instances that share only Redis, ${rounds} times`, async () => {
    const service = await VideoAuthUnderTest.startWithRedis();
    // So Redis decides, not the database.
    const another = await freshDatabase();
    try {
      const instances = [service.instance, await service.addInstance({ database: { url: another.url } })];
      for (let round = 0; round < rounds; round += 1) {
        const outcomes = await sendToAll(instances, loginBody(seedNames[round % seedNames.length] ?? ''));
        expect(outcomes).toEqual(['PROOF_REPLAYED', 'token']);
      }
    } finally {
      await service.stop();
      await another.drop();
    }
  });

  it('yields exactly one token at two instances that share only the database', async () => {
    const service = await VideoAuthUnderTest.start();
    try {
      const instances = [service.instance, await service.addInstance()];
      for (let round = 0; round < 20; round += 1) {
        const outcomes = await sendToAll(instances, loginBody('alice'));
        expect(outcomes).toEqual(['PROOF_REPLAYED', 'token']);
      }
    } finally {
      await service.stop();
    }
  });
});
