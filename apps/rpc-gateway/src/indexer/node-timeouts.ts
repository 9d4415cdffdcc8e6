/** How long nodes are waited for, one and all of them: a hundred full blocks take a public node a second or two, and a busy one longer. */
export const nodeTimeouts = { timeoutMs: 15_000, overallTimeoutMs: 45_000 };
