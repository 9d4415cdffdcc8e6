/** HIVE_100_PERCENT of hived: percentages and weights are in hundredths of a percent. */
export const fullPercent = 10_000;
