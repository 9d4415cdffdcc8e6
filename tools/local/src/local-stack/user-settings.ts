import { exampleSettings } from '@waggle/testing';
import { type Program, programs } from './programs';

/** The user's settings of a service: variables of its `.env.example`, and of the OpenTelemetry SDK. */
export interface UserSettings {
  passed: Record<string, string>;
  /** Names of those that `npm start` chooses. */
  ignored: string[];
}

/** Each service needs its own. */
const ownSettings = ['HOST', 'PORT', 'REDIS_PREFIX'];

/** Returns the settings of a service that the environment has. Empty variables count as absent, as for the services. */
export function userSettings(app: string, environment: NodeJS.ProcessEnv): UserSettings {
  const own = new Set([...ownSettings, ...programs.flatMap((program) => settingsFrom(program, app))]);
  const known = new Set(exampleSettings(app).names);
  const found = Object.entries(environment).flatMap(([name, value = '']) =>
    value !== '' && (known.has(name) || name.startsWith('OTEL_')) ? [{ name, value }] : [],
  );
  return {
    passed: Object.fromEntries(found.filter(({ name }) => !own.has(name)).map(({ name, value }) => [name, value])),
    ignored: found.map(({ name }) => name).filter((name) => own.has(name)),
  };
}

/** The names of the settings that a program of the app gets from `npm start`. A file stands for its content, too. */
function settingsFrom({ service }: Program, app: string): string[] {
  if (service?.app !== app) return [];
  const context = { url: '', hiveNodes: '', databaseUrl: '', tokenKeyFile: () => '' };
  return Object.keys(service.environment(context)).flatMap((name) => [name, name.replace(/_FILE$/, '')]);
}

/** Returns lines about the settings that services get from the user, and about those that they do not get. */
export function userSettingsText(started: readonly Program[], environment: NodeJS.ProcessEnv): string[] {
  const apps = new Set(started.flatMap(({ service }) => service?.app ?? []));
  const settings = [...apps].map((app) => userSettings(app, environment));
  const passed = new Set(settings.flatMap((each) => Object.keys(each.passed)));
  const ignored = new Set(settings.flatMap((each) => each.ignored));
  return [
    ...(passed.size > 0 ? [`Passed on to the services: ${[...passed].toSorted().join(', ')}.`] : []),
    ...(ignored.size > 0 ? [`Ignored, because npm start chooses them: ${[...ignored].toSorted().join(', ')}.`] : []),
  ];
}
