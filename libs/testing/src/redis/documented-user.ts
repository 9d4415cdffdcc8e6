/** A user of Redis as documented. */
export interface RedisUser {
  /** Settings for `startRedisCluster`: a restarted node loses settings that were made by commands. */
  settings: Record<string, string>;
  /** Returns the comma-separated URLs of a Redis or of a cluster, with this user's credentials. */
  urlFor: (urls: string) => string;
}

/**
 * The documented ACL user of a service, with keys and channels that begin with `test:`.
 *
 * @param commands a line `ACL SETUSER <user> on ><password> …` for each service
 * @throws Error if there is none for this service
 */
export function documentedRedisUser(commands: string, service: string): RedisUser {
  const [, rules, password] = new RegExp(`^ACL SETUSER ${service} (on >(\\S+) .*)$`, 'm').exec(commands) ?? [];
  if (rules === undefined || password === undefined) throw new Error(`no user of Redis is documented for ${service}`);
  return {
    settings: { [`user ${service}`]: rules.replaceAll(/([~&])waggle:[\w-]+:/g, '$1test:') },
    urlFor: (urls) => urls.replaceAll(/(?<=:\/\/)[^@]*(?=@)/g, `${service}:${password}`),
  };
}
