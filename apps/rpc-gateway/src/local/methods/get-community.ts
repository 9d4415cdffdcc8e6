import { z } from 'zod';
import { communityByName, communityTeam } from '../../communities/communities.statements';
import { communityNotFound, findContexts } from '../../communities/known-communities';
import { roleName } from '../../communities/roles';
import { method } from '../declaration/declaration';
import { community, optionalAccount } from '../declaration/parameters';
import { communityFields, exampleCommunity, member } from '../declaration/results';

export const getCommunity = method({
  name: 'bridge.get_community',
  summary: 'A community with its team and its settings',
  required: 1,
  parameters: { name: community, observer: optionalAccount('account name') },
  result: z.strictObject({
    ...communityFields,
    description: z.string(),
    flag_text: z.string(),
    settings: z.record(z.string(), z.unknown()),
    team: z.array(member),
  }),
  example: {
    params: { name: 'hive-100001', observer: 'alice' },
    result: {
      ...exampleCommunity,
      description: '',
      flag_text: '',
      settings: {},
      context: { role: 'guest', subscribed: true, title: '' },
      team: [['hive-100001', 'owner', '']],
    },
  },
  needs: ['live-head', 'communities', 'posts'],
  handle: async ({ name, observer }, { database, accounts }) => {
    const row = await communityByName.find(database, { name });
    if (row === undefined) throw communityNotFound(name);
    const contexts = await findContexts(database, await accounts.findId(observer), [row.id]);
    const team = await communityTeam.query(database, { communityId: row.id });
    const settings: unknown = JSON.parse(row.settings);
    return {
      ...row,
      settings,
      context: contexts.get(row.id) ?? {},
      team: team.map((member) => [member.name, roleName(member.role), member.title]),
    };
  },
});
