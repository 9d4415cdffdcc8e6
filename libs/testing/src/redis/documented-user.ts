/** A user of Redis, as a document has it made. */
export interface RedisUser {
  /** For `startRedisCluster`: a node that comes back has forgotten what it was told by commands. */
  settings: Record<string, string>;
  /** @returns the URLs of a Redis or of a cluster, divided by commas, with this user in place of whoever they name */
  urlFor: (urls: string) => string;
}

/**
 * The user of a service, whose keys and channels are those of tests: they begin with `test:`.
 *
 * @param commands a line `ACL SETUSER <user> on ><password> …` for each service
 * @throws Error where there is none for this one
 */
export function documentedRedisUser(commands: string, service: string): RedisUser {
  const [, rules, password] = new RegExp(`^ACL SETUSER ${service} (on >(\\S+) .*)$`, 'm').exec(commands) ?? [];
  if (rules === undefined || password === undefined) throw new Error(`no user of Redis is documented for ${service}`);
  return {
    settings: { [`user ${service}`]: rules.replaceAll(/([~&])waggle:[\w-]+:/g, '$1test:') },
    urlFor: (urls) => urls.replaceAll(/(?<=:\/\/)[^@]*(?=@)/g, `${service}:${password}`),
  };
}
