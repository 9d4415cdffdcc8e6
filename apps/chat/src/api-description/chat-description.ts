import { restError, type ChatLimits } from '@waggle/contracts';
import { type ApiDescription } from '@waggle/service/api-description';
import { type Frames } from '../realtime/frame-definition';
import { accessCookie, refreshCookie } from '../credentials';
import { apiVersion, asyncApiDocument } from './asyncapi';
import { credentialSchemes } from './responds-with';

const description = `Real-time chat between Hive accounts. Messages and events are sent over the WebSocket at \`/ws\`, which
\`/docs/asyncapi.json\` describes; REST is for log-in, sessions, lists and history.

Log in with a signature at \`GET /users/login\`. Later requests carry the access token in \`Authorization\` (with or
without \`Bearer\`) or in the cookies that log-in sets. A token in the header takes precedence.

Every error has the body \`{statusCode, error, code, message, requestId}\`; rely on \`code\`. Every response has the header
\`X-Request-Id\`. Unknown fields in a body are ignored. Times are ISO 8601 in UTC with milliseconds.`;

const cookie = (name: string) => `${name}=…; Max-Age=…; Path=/; HttpOnly; Secure; SameSite=Lax`;
const bothCookies = `\`${accessCookie}\` and \`${refreshCookie}\`, in separate headers`;
const originRule = 'Left out if the Origin of the page is not allowed.';

/** The cookies of a session, for clients that do not store tokens. The keys are ids of operations. */
const headers = {
  'Sessions.logIn': {
    'Set-Cookie': { description: `${bothCookies}. ${originRule}`, example: cookie(accessCookie) },
  },
  'Sessions.verify': {
    'Set-Cookie': {
      description: `\`${accessCookie}\`, if a new access token was issued. ${originRule}`,
      example: cookie(accessCookie),
    },
  },
  'Sessions.refreshToken': {
    'Set-Cookie': {
      description: `\`${accessCookie}\`, unless the cookies belong to another session. ${originRule}`,
      example: cookie(accessCookie),
    },
  },
  'Sessions.logOut': {
    'Set-Cookie': {
      description: `Clears ${bothCookies}; also with status 401. ${originRule}`,
      example: `${accessCookie}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax`,
    },
  },
} satisfies ApiDescription['headers'];

const exampleError = {
  statusCode: 404,
  error: 'Not Found',
  code: 'not-found',
  message: 'there is no such conversation or message for you',
  requestId: '0b9d1f0e-6b1c-4c2d-9a51-3f1c2f7f8a10',
};

/**
 * Returns the description of the API, which is served at `/docs`.
 *
 * @param limits the limits of this service; by default the default settings
 */
export function chatDescription(frames: Frames, limits?: ChatLimits): ApiDescription {
  return {
    title: 'Waggle chat',
    description,
    version: apiVersion,
    path: '/docs',
    error: restError.meta({ examples: [exampleError] }),
    headers,
    mediaTypes: { 'Export.export': 'application/x-ndjson' },
    securitySchemes: credentialSchemes,
    documents: { 'asyncapi.json': () => asyncApiDocument(frames, limits) },
  };
}
