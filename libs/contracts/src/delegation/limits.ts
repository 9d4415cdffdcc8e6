/** How many items a list has in JSON: by default, and at the most. */
export const delegationPage = { default: 100, max: 1_000 } as const;

/** How many rows a list has as CSV at the most, and by default. */
export const maxDelegationExport = 1_000_000;
