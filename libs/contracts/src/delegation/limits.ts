/** Page size of a list in JSON. */
export const delegationPage = { default: 100, max: 1_000 } as const;

/** Maximum and default number of rows of a list as CSV. */
export const maxDelegationExport = 1_000_000;
