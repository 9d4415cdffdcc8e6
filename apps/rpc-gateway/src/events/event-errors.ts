/** The HTTP status of each error code of `GET /events`, besides those of every service. */
export const eventErrors = { 'index-incomplete': 503, 'rate-limited': 429, unavailable: 503 } as const;
