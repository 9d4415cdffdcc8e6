/** The URL of an account's profile; undefined without a name. @param profiles has `{account}` in place of the name */
export function profileUrl(profiles: string, account: string): string | undefined {
  return account === '' ? undefined : profiles.replace('{account}', encodeURIComponent(account));
}
