import { communityByName, communityTeam } from '../../communities/communities.statements';
import { findContexts, noCommunity } from '../../communities/known-communities';
import { roleName } from '../../communities/roles';
import { method } from '../declaration';
import { community, optionalAccount } from '../parameters';

interface CommunityRow {
  id: number;
  settings: string;
}

interface TeamRow {
  name: string;
  role: number;
  title: string;
}

export const getCommunity = method({
  name: 'bridge.get_community',
  required: 1,
  parameters: { name: community, observer: optionalAccount('account name') },
  answer: async ({ name, observer }, { database, accounts }) => {
    const { rows } = await database.query<CommunityRow>({ ...communityByName, values: [name] });
    const [row] = rows;
    if (row === undefined) throw noCommunity(name);
    const contexts = await findContexts(database, await accounts.findId(observer), [row.id]);
    const team = await database.query<TeamRow>({ ...communityTeam, values: [row.id] });
    const settings: unknown = JSON.parse(row.settings);
    return {
      ...row,
      settings,
      context: contexts.get(row.id) ?? {},
      team: team.rows.map((member) => [member.name, roleName(member.role), member.title]),
    };
  },
});
