import { parseAccountName } from '../state/account';
import { assertion } from '../errors';
import { fieldsOf, isJson, listOf, textOf } from '../fields';
import { defineOperation, type RequiredAuthority } from './operation';

/** HIVE_CUSTOM_OP_ID_MAX_LENGTH of hived. */
const maxIdLength = 32;
/** HIVE_CUSTOM_OP_DATA_MAX_LENGTH of hived, in bytes. */
const maxJsonBytes = 8192;

/** Carries JSON that the chain stores and does not interpret. */
export const customJson = defineOperation({
  name: 'custom_json',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      required_auths: listOf(fields['required_auths']).map(parseAccountName),
      required_posting_auths: listOf(fields['required_posting_auths']).map(parseAccountName),
      id: textOf(fields['id']),
      json: textOf(fields['json']),
    };
    if (value.required_auths.length + value.required_posting_auths.length === 0) {
      throw assertion('num_auths > 0', 'at least one account must be specified');
    }
    if (value.id.length > maxIdLength) throw assertion('id.length() <= HIVE_CUSTOM_OP_ID_MAX_LENGTH', 'id is too long');
    if (Buffer.byteLength(value.json) > maxJsonBytes) {
      throw assertion(
        'json.length() <= HIVE_CUSTOM_OP_DATA_MAX_LENGTH',
        'Operation JSON must be less than ${bytes} bytes.',
        {
          bytes: maxJsonBytes,
        },
      );
    }
    if (!isJson(value.json)) throw assertion('fc::json::is_valid( json )', 'JSON Metadata not valid JSON');
    return value;
  },
  requires: ({ required_auths, required_posting_auths }): RequiredAuthority[] => [
    ...required_auths.map((account) => ({ role: 'active', account }) as const),
    ...required_posting_auths.map((account) => ({ role: 'posting', account }) as const),
  ],
  apply: () => undefined,
});
