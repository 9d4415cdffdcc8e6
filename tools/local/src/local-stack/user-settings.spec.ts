import { programsOf } from './programs';
import { userSettings, userSettingsText } from './user-settings';

const environment = {
  BEARER_ORIGINS: 'https://app.example',
  LOG_LEVEL: '',
  DATABASE_URL: 'postgres://elsewhere/chat',
  TOKEN_PRIVATE_KEY: 'key',
  START_FROM: 'current-state',
  OTEL_SERVICE_NAME: 'mine',
  PORT: '80',
  PATH: '/bin',
};

it('passes the settings that a service knows and npm start does not choose', () => {
  expect(userSettings('chat', environment)).toEqual({
    passed: { BEARER_ORIGINS: 'https://app.example', OTEL_SERVICE_NAME: 'mine' },
    ignored: ['DATABASE_URL', 'TOKEN_PRIVATE_KEY', 'PORT'],
  });
  expect(userSettings('delegation', { START_FROM: 'current-state', EXPLORER: 'off' })).toEqual({
    passed: { EXPLORER: 'off' },
    ignored: ['START_FROM'],
  });
});

it('lists both kinds for the services that are started', () => {
  expect(userSettingsText(programsOf(['chat']), environment)).toEqual([
    'Passed on to the services: BEARER_ORIGINS, OTEL_SERVICE_NAME.',
    'Ignored, because npm start chooses them: DATABASE_URL, PORT, TOKEN_PRIVATE_KEY.',
  ]);
  expect(userSettingsText(programsOf([]), { PATH: '/bin' })).toEqual([]);
});
