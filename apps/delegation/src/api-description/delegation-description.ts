import { restError } from '@waggle/contracts';
import { type ApiDescription } from '@waggle/service/api-description';

const description = `Who delegates how many VESTS to whom on Hive: now, before, and as of any block that is known. For
anybody, without credentials; all calls are GET.

Amounts are VESTS as exact JSON numbers with up to 6 decimals, also above 2^53 millionths: a client that needs the last
digits reads them with a decimal parser. Times are UTC to the second, without a zone.

Answers are of the last irreversible block that the service knows, \`X-Synced-Block\`; \`X-Sync-Lag-Seconds\` says how long ago
it was made. \`If-None-Match\` with an \`ETag\` is answered by 304 until the next block.

An account without delegations, also one that does not exist, has zeros and empty lists.

Lists have at most 1,000 items a call. \`Link\` leads to the next and the previous ones, by \`after_id\` and \`before_id\`: ids
stay, so nothing is missed or repeated however long a reader takes. With \`Accept: text/csv\` balances, delegations and
history are tables of up to 1,000,000 rows, all as of \`X-Synced-Block\`, in the order of the list and with the same ids to go
on from; a file that breaks off is not whole. An address can have one such file at a time: a second one is a 429 \`rate-limited\`.

\`as_of_block\` asks for what was so at the end of a block: 404 \`before-history\` where the service does not know so far back
(\`as_of_from_block\` of \`/api/deleg/status\` says from where), 404 \`not-synced\` where it does not know that block yet.

Every refusal has the body \`{statusCode, error, code, message, requestId}\`; program against \`code\`. A bad parameter is a 400
that names it, as is one that is given twice; unknown parameters are ignored. Every answer carries \`X-Request-Id\`.`;

const syncHeaders = {
  ETag: { description: 'Names this answer; send it in If-None-Match' },
  'X-Synced-Block': { description: 'The last block that the answer knows', example: '100000000' },
  'X-Sync-Lag-Seconds': { description: 'How long ago that block was made', example: '4' },
};

const listHeaders = {
  ...syncHeaders,
  Link: {
    description: 'The next and previous items (RFC 8288), relative to the host',
    example: '</api/deleg/in?account=alice&limit=100&after_id=117>; rel="next"',
  },
};

const exampleError = {
  statusCode: 400,
  error: 'Bad Request',
  code: 'invalid-request',
  message: 'account: not an account name',
  requestId: '0b9d1f0e-6b1c-4c2d-9a51-3f1c2f7f8a10',
};

/** The description of the service's interface, served at `/docs`. */
export const delegationDescription: ApiDescription = {
  title: 'Waggle delegation',
  description,
  version: '0.1.0',
  path: '/docs',
  error: restError.meta({ examples: [exampleError] }),
  headers: {
    'Delegations.getBalance': syncHeaders,
    'Delegations.listIn': listHeaders,
    'Delegations.listOut': listHeaders,
    'Delegations.getPair': syncHeaders,
    'Delegations.listReturns': listHeaders,
    'History.listIn': listHeaders,
    'History.listOut': listHeaders,
  },
};
