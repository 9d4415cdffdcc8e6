import { IndexUnderTest } from '../support/index-under-test';

describe('accounts', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(() => index.reset());
  afterAll(() => index.stop());

  const byAccount = { creator: 'initminer', new_account_name: 'bob', json_metadata: '' };

  it.each([
    ['account_create_operation', byAccount],
    ['account_create_with_delegation_operation', byAccount],
    ['create_claimed_account_operation', byAccount],
    ['pow_operation', { worker_account: 'bob', nonce: 7 }],
    ['pow2_operation', { work: { type: 'pow2', value: { input: { worker_account: 'bob', nonce: 7 } } } }],
  ])('are created by the first %s', async (type, value) => {
    const operation = { type, value, isVirtual: false };
    await index.apply([operation], [operation]);
    expect(await index.everyRow()).toMatchObject({ account: [{ id: 1, name: 'bob' }] });
  });
});
