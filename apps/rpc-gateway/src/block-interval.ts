/** The time between two blocks of Hive. */
export const blockIntervalSeconds = 3;
export const blockIntervalMs = blockIntervalSeconds * 1_000;
