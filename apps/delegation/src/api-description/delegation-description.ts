import { restError } from '@waggle/contracts';
import { type ApiDescription } from '@waggle/service/api-description';

const description = `Who delegates how many VESTS to whom on Hive: now, before, and as of any block that is indexed. Public,
without credentials; all calls are GET.

Amounts are VESTS, not converted to HIVE. They are exact JSON numbers with up to 6 decimals, also above 2^53 millionths:
a client that needs the last digits reads them with a decimal parser. Times are UTC to the second, without a zone.

Responses are as of the last irreversible block that is indexed, \`X-Synced-Block\`; \`X-Sync-Lag-Seconds\` is its age.
\`If-None-Match\` with an \`ETag\` gives 304 until the next block.

An account without delegations has zeros and empty lists, even if it does not exist.

Lists have at most 1,000 items per call. \`Link\` leads to the next and previous ones, by \`after_id\` and \`before_id\`: ids
are stable, so nothing is missed or repeated however long a reader takes. With \`Accept: text/csv\` balances, delegations and
history are tables of up to 1,000,000 rows, all as of \`X-Synced-Block\`, in the order of the list and with the same ids to
continue from; a file that ends early is incomplete. An address can have one such file at a time: a second one is a 429 \`rate-limited\`.

\`as_of_block\` returns the state at the end of a block: 404 \`before-history\` if the index does not reach back to it
(\`as_of_from_block\` of \`/api/deleg/status\` is the earliest), 404 \`not-synced\` if the block is not indexed yet. Two such
requests of an address for \`account\`, \`in\` and \`out\` run at a time and ten wait; more get 429 \`rate-limited\`.

Every error has the body \`{statusCode, error, code, message, requestId}\`; rely on \`code\`. An invalid or repeated parameter is a
400 that names it; unknown parameters are ignored. Every response has \`X-Request-Id\`.`;

const syncHeaders = {
  ETag: { description: 'Identifies this response; send it in If-None-Match' },
  'X-Synced-Block': { description: 'The last block of the response', example: '100000000' },
  'X-Sync-Lag-Seconds': { description: 'The age of that block', example: '4' },
};

const listHeaders = {
  ...syncHeaders,
  Link: {
    description: 'The next and previous items (RFC 8288), relative to the host',
    example: '</api/deleg/in?account=alice&limit=100&after_id=117>; rel="next"',
  },
};

const balanceCsv = { 'text/csv': 'account,in,out\r\nalice,2500.5,1000\r\n' };
const delegationsCsv = { 'text/csv': 'id,delegator,delegatee,amount\r\n17,bob,alice,2500.5\r\n' };
const historyCsv = {
  'text/csv': 'id,created,delegator,delegatee,amount\r\n104857600000001,2026-01-31T12:00:00,bob,alice,2500.5\r\n',
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
  otherMediaTypes: {
    'Delegations.getBalance': balanceCsv,
    'Delegations.listIn': delegationsCsv,
    'Delegations.listOut': delegationsCsv,
    'History.listIn': historyCsv,
    'History.listOut': historyCsv,
  },
};
