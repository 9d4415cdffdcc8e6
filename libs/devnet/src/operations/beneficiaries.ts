import { parseAccountName } from '../account';
import { type Beneficiary } from '../comments';
import { type Bilingual } from '../dialect';
import { assertion, badCast } from '../errors';
import { countOf, fieldsOf, listOf } from '../fields';
import { fullWeight } from '../rewards';

/** HIVE_MAX_COMMENT_BENEFICIARIES of hived. */
const maxBeneficiaries = 8;

/** `comment_payout_beneficiaries`, the only extension of `comment_options`. */
export class Beneficiaries implements Bilingual {
  constructor(readonly beneficiaries: readonly Beneficiary[]) {}

  legacy(): unknown {
    return [0, { beneficiaries: this.beneficiaries }];
  }

  appbase(): unknown {
    return { type: 'comment_payout_beneficiaries', value: { beneficiaries: this.beneficiaries } };
  }
}

/** @throws NodeError */
export function parseBeneficiaries(json: unknown): Beneficiaries {
  const [type, value] = Array.isArray(json)
    ? (json as readonly unknown[])
    : [fieldsOf(json)['type'], fieldsOf(json)['value']];
  if (type !== 0 && type !== 'comment_payout_beneficiaries') throw badCast('No other extension is known');
  const beneficiaries = listOf(fieldsOf(value)['beneficiaries']).map((one) => {
    const fields = fieldsOf(one);
    return { account: parseAccountName(fields['account']), weight: countOf(fields['weight']) };
  });
  if (beneficiaries.length === 0) throw assertion('beneficiaries.size()', 'Must specify at least one beneficiary');
  if (beneficiaries.length > maxBeneficiaries) {
    throw assertion(
      'beneficiaries.size() <= HIVE_MAX_COMMENT_BENEFICIARIES',
      'Cannot specify more than ${x} beneficiaries.',
      {
        x: maxBeneficiaries,
      },
    );
  }
  if (beneficiaries.some(({ account }, i) => account <= (beneficiaries[i - 1]?.account ?? ''))) {
    throw assertion(
      'beneficiaries[i - 1] < beneficiaries[i]',
      'Beneficiaries must be specified in sorted order (account ascending)',
    );
  }
  if (beneficiaries.reduce((sum, { weight }) => sum + weight, 0) > fullWeight) {
    throw assertion('sum <= HIVE_100_PERCENT', 'Cannot allocate more than 100% of rewards to a comment');
  }
  return new Beneficiaries(beneficiaries);
}
