import { type Bilingual } from '../dialect';
import { assertion, badCast } from '../errors';

/**
 * The three assets of the chain: digits after the point, the identifier (NAI) that the appbase APIs use, and the number
 * in transactions since hardfork 26 (hived's asset_symbol.hpp).
 */
const assets = {
  HIVE: { precision: 3, nai: '@@000000021', number: 0xbebc2023 },
  HBD: { precision: 3, nai: '@@000000013', number: 0xbebc2003 },
  VESTS: { precision: 6, nai: '@@000000037', number: 0xbebc2046 },
} as const;

/**
 * hive-js serializes the known assets in the legacy form only. It writes any other as `amount`, and the number
 * floor(nai / 10) * 32 + 16 + precision: this NAI and a precision for it give the numbers above.
 */
const otherAsset = { nai: '@@999999990', number: 99_999_999 * 32 + 16 };

export type AssetSymbol = keyof typeof assets;

/** An amount of one asset, in its smallest units. */
export class Asset implements Bilingual {
  constructor(
    readonly units: bigint,
    readonly symbol: AssetSymbol,
  ) {}

  /** Reads either dialect: `"1.000 HIVE"` or `{amount: "1000", precision: 3, nai: "@@000000021"}`. */
  static parse(value: unknown): Asset {
    if (typeof value === 'string') return parseLegacy(value);
    if (typeof value === 'object' && value !== null && 'nai' in value && 'amount' in value) {
      const symbol = symbols.find((known) => assets[known].nai === value.nai);
      if (symbol && typeof value.amount === 'string' && /^\d{1,19}$/.test(value.amount)) {
        return new Asset(BigInt(value.amount), symbol);
      }
    }
    throw badCast('Cannot convert to asset');
  }

  plus(other: Asset): Asset {
    return new Asset(this.units + this.same(other).units, this.symbol);
  }

  minus(other: Asset): Asset {
    return new Asset(this.units - this.same(other).units, this.symbol);
  }

  /** As condenser_api writes it: `"1.000 HIVE"`. */
  legacy(): string {
    const { precision } = assets[this.symbol];
    const digits = String(this.units).padStart(precision + 1, '0');
    return `${digits.slice(0, -precision)}.${digits.slice(-precision)} ${this.symbol}`;
  }

  /** As the appbase APIs write it. */
  appbase(): { amount: string; precision: number; nai: string } {
    const { precision, nai } = assets[this.symbol];
    return { amount: String(this.units), precision, nai };
  }

  /** As hive-js serializes it in the form of hardfork 26: the amount and the number of the asset. */
  hf26(): { amount: string; precision: number; nai: string } {
    const { number } = assets[this.symbol];
    return { amount: String(this.units), precision: number - otherAsset.number, nai: otherAsset.nai };
  }

  private same(other: Asset): Asset {
    if (other.symbol !== this.symbol) throw assertion('a.symbol == b.symbol', 'assets of different symbols');
    return other;
  }
}

export function hive(amount: number): Asset {
  return new Asset(BigInt(Math.round(amount * 1000)), 'HIVE');
}

export function hbd(amount: number): Asset {
  return new Asset(BigInt(Math.round(amount * 1000)), 'HBD');
}

export function vests(amount: number): Asset {
  return new Asset(BigInt(Math.round(amount * 1_000_000)), 'VESTS');
}

const symbols: readonly AssetSymbol[] = ['HIVE', 'HBD', 'VESTS'];

function parseLegacy(text: string): Asset {
  const [, whole, decimals, name] = /^(\d{1,16})\.(\d+) ([A-Z]+)$/.exec(text) ?? [];
  const symbol = symbols.find((known) => known === name);
  if (whole === undefined || decimals === undefined || !symbol || decimals.length !== assets[symbol].precision) {
    throw badCast('Cannot convert ${text} to asset', { text });
  }
  return new Asset(BigInt(whole + decimals), symbol);
}
