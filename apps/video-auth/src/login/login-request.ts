import {
  accountName,
  proofPayload,
  maxProofPayloadLength,
  type ProofPayload,
  type VideoLoginAliasBody,
  type VideoLoginBody,
  videoAuthority,
} from '@waggle/contracts';
import { type SignedProof } from '@waggle/chain';
import { noSuchAccount, VideoAuthError } from '../errors';
import { requireNetwork } from '../network';
import { signableForms, textOfMember } from './object-payload';
import { parseStrictJson, RepeatedKeyError } from '../strict-json';

/** A parsed log-in request, whose proof is not verified yet. */
export interface LoginRequest {
  proof: SignedProof;
  payload: ProofPayload;
}

/**
 * Parses a log-in request in any of the forms that clients use.
 *
 * @param bodyText the text of the body
 * @throws VideoAuthError `unsupported-network`, `invalid-request`, `account-mismatch`, `account-not-found`
 */
export function readLogin(
  { username, network, proof_payload, proof }: VideoLoginBody | VideoLoginAliasBody,
  bodyText: string,
): LoginRequest {
  if (network !== undefined) requireNetwork(network);
  const isText = typeof proof_payload === 'string';
  const received = isText ? proof_payload : (textOfMember(bodyText, 'proof_payload') ?? '');
  const payload = readPayload(received);
  // Clients sign an object as text, but the request does not say how they wrote it.
  const [text, ...otherForms] = isText ? [proof_payload] : signableForms(received);
  const { account } = payload;
  if (username !== undefined && username !== account) {
    throw new VideoAuthError('account-mismatch', 'proof_payload is of another account than username');
  }
  // From here on limits and look-ups use this name.
  if (!accountName.safeParse(account).success) throw noSuchAccount();
  return {
    proof: { account, text, otherForms, signature: proof, roles: [videoAuthority], signedAtMs: payload.ts },
    payload,
  };
}

/** Parses the payload that a proof signs. @throws VideoAuthError `invalid-request` */
function readPayload(text: string): ProofPayload {
  if (text.length > maxProofPayloadLength) throw invalidPayload('is too long');
  const { success, data, error } = proofPayload.safeParse(parse(text));
  if (success) return data;
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  throw invalidPayload(`${path === '' ? '' : `${path}: `}${issue?.message ?? ''}`);
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    // The parser's message quotes the text.
    throw invalidPayload(error instanceof RepeatedKeyError ? error.message : 'is not JSON');
  }
}

function invalidPayload(what: string): VideoAuthError {
  return new VideoAuthError('invalid-request', `proof_payload: ${what}`);
}
