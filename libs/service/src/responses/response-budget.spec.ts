import { Client } from '../limits/client';
import { ResponseAllowance, ResponseBudget, uncountedBytes } from './response-budget';

describe('ResponseAllowance', () => {
  const alice = { client: new Client('192.0.2.1'), account: 'alice' };
  let budget: ResponseBudget;
  beforeEach(() => {
    budget = new ResponseBudget(1_000_000);
  });

  it('does not count a small response', () => {
    const allowance = new ResponseAllowance(budget, alice);
    expect(allowance.take(uncountedBytes)).toBeUndefined();
    expect(budget.heldBytes).toBe(0);
  });

  it('counts all bytes of a larger response, and releases them all', () => {
    const allowance = new ResponseAllowance(budget, alice);
    allowance.take(4_000);
    allowance.take(1_000);
    expect(budget.heldBytes).toBe(5_000);
    allowance.giveBack(2_000);
    expect(budget.heldBytes).toBe(3_000);
    allowance.release();
    allowance.release();
    expect(budget.heldBytes).toBe(0);
  });

  it('distinguishes unread responses of the client from those of others', () => {
    const first = new ResponseAllowance(budget, alice);
    expect(first.take(500_000)).toBeUndefined();
    const second = new ResponseAllowance(budget, { client: new Client('192.0.2.2'), account: 'alice' });
    expect(second.take(5_000)).toBe('rate-limited');
    expect(second.rejection).toBe('rate-limited');
    const other = new ResponseAllowance(budget, { client: new Client('192.0.2.3') });
    expect(other.take(300_000)).toBe('unavailable');
    expect(other.rejection).toBe('unavailable');
    expect(budget.heldBytes).toBe(500_000);
  });
});
