import { restError, type ChatLimits } from '@waggle/contracts';
import { type ApiDescription } from '@waggle/service';
import { credentialSchemes } from './answers';
import { asyncApiDocument } from './asyncapi';
import { apiVersion } from './version';

const description = `Real-time chat between Hive accounts. What happens live goes over the WebSocket at \`/ws\`, which
\`/docs/asyncapi.json\` describes; REST is for log-in, sessions, lists and history.

Log in by a signature at \`GET /users/login\`. Credentials then travel as \`Authorization: Bearer …\`, as the bare token, or as
the cookies that log-in sets. A token in the header decides alone.

Every refusal has the body \`{statusCode, error, code, message, requestId}\`; program against \`code\`. Every answer carries
\`X-Request-Id\`. Unknown fields in a body are ignored. Times are ISO 8601 in UTC with milliseconds.`;

/** The descriptions of the chat's interface, served at `/docs`. */
export function chatDescription(limits?: ChatLimits): ApiDescription {
  return {
    title: 'Waggle chat',
    description,
    version: apiVersion,
    path: '/docs',
    error: restError,
    securitySchemes: credentialSchemes,
    documents: { 'asyncapi.json': () => asyncApiDocument(limits) },
  };
}
