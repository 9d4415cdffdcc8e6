import { type Random } from '@waggle/testing';
import { custom, type OperationSketch } from '../support/operations';

const bees = 'hive-100001';
const signers = ['alice', 'bob', bees] as const;

/** JSON of values that the operations do not expect. */
const oddValues = [
  ...['null', 'true', '{}', '[]', '[[]]', '[null]', `${'['.repeat(3_000)}${']'.repeat(3_000)}`],
  ...['0', '-1', '1e999', '-0', '1e-999', '4', '2147483648', '9223372036854775808', '9'.repeat(400)],
  ...['""', '" "', '"\u0001"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"a/b"', '"İ"', '"🐝"', '"\ud800"'],
  ...['"__proto__"', '"constructor"', '["toString"]', `"${'x'.repeat(17)}"`, `"${'x'.repeat(7_000)}"`],
  ...['{"__proto__":{"follower":"bob"}}', '{"length":3}', '{"":""}', '{"\\u0000":"\\ud800"}', '"9999-99-99T99:99:99"'],
  ...['["alice","bob",7,null,["alice"]]', '"0000-01-01T00:00:00"', '"2026-02-31T00:00:00"', '-1e400', '"hive-300001"'],
];

/**
 * Creates custom operations by alice, bob and a community, some with odd values. Alice's posts are `honey` and bob's
 * `sweet`; carol exists too.
 */
export class HostileOperations {
  constructor(private readonly random: Random) {}

  operation(): OperationSketch {
    const { random } = this;
    const signer = random.pick(signers);
    const account = this.value('alice', 'bob', 'carol', 'nobody-here');
    const permlink = this.value('honey', 'sweet', 'none');
    const date = this.value('2026-01-01T00:00:03', '2035-01-01T00:00:00');
    const list = this.value(['blog'], ['ignore'], [], ['follow_muted'], ['reset_all_lists'], ['reset_following_list']);
    const following = random.chance(0.5) ? account : `[${account},${this.value('carol')}]`;
    const props = this.object({
      [random.pick(['title', 'about', 'lang', 'description', 'flag_text', 'extra'])]: this.value('Bees', 'en'),
      [random.pick(['is_nsfw', 'type_id'])]: this.value(true, 2),
      settings: random.chance(0.5) ? this.value({ avatar_url: 'https://bees' }) : this.object({ a: this.value(1) }),
    });
    const act = (payload: Record<string, string>) =>
      this.object({ community: this.value(bees, bees, 'hive-200001'), ...payload });
    const [id, command, payload] = random.pick<[id: string, command: string, payload: string]>([
      ['follow', 'follow', this.object({ follower: this.value(signer), following, what: list })],
      ['follow', 'reblog', this.object({ account: this.value(signer), author: account, permlink })],
      [
        'reblog',
        'reblog',
        this.object({ account: this.value(signer), author: account, permlink, delete: this.value('delete') }),
      ],
      ['notify', 'setLastRead', this.object({ date })],
      ['community', random.pick(['subscribe', 'unsubscribe']), act({})],
      ['community', 'setRole', act({ account, role: this.value('mod', 'muted', 'guest', 'admin') })],
      ['community', 'setUserTitle', act({ account, title: this.value('Keeper') })],
      ['community', 'updateProps', act({ props })],
      [
        'community',
        random.pick(['mutePost', 'unmutePost', 'flagPost']),
        act({ account, permlink, notes: this.value('x') }),
      ],
      ['community', random.pick(['pinPost', 'unpinPost']), act({ account, permlink })],
    ]);
    const json = random.chance(0.9) ? `[${this.value(command)},${payload}]` : this.odd(payload);
    return custom(signer, id, json);
  }

  /** One of the values, or rarely an odd one. */
  private value(...values: readonly unknown[]): string {
    return this.odd(JSON.stringify(this.random.pick(values)));
  }

  private odd(json: string): string {
    return this.random.chance(0.06) ? this.random.pick(oddValues) : json;
  }

  private object(fields: Record<string, string>): string {
    return this.odd(
      `{${Object.entries(fields)
        .map(([key, json]) => `${JSON.stringify(key)}:${json}`)
        .join(',')}}`,
    );
  }
}
