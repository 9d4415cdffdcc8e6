import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { localPaths } from '../local/paths/local-paths';
import { errorResponses, jsonContent } from './operation';

/** Describes the paths that are answered from the index. */
export function localPathDescriptions(): Record<string, unknown> {
  return Object.fromEntries(
    localPaths.map(({ name, summary, parameters, result }) => [
      name,
      {
        get: {
          operationId: name.replaceAll(/[^a-z]+(\w?)/g, (_match, letter: string) => letter.toUpperCase()),
          summary,
          security: [],
          parameters: parameters.map(({ name: parameter, schema }) => pathParameter(parameter, schema)),
          responses: {
            200: {
              description: 'As of the block in `X-Gateway-Index-Block`',
              ...jsonContent(jsonSchemaOf(result, 'output').schema),
            },
            ...errorResponses('invalid-request', 'rate-limited', 'index-incomplete', 'unavailable'),
          },
        },
      },
    ]),
  );
}

function pathParameter(name: string, { description, ...schema }: JsonSchema): object {
  return { name, in: 'path', required: true, description, schema };
}
