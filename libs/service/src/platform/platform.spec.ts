import { Module } from '@nestjs/common';
import { serviceEnvironment, httpOf } from '../configuration';
import { createLogger } from '../observability/logging';
import { createService } from './create-service';
import { Platform } from './platform';

const http = httpOf(serviceEnvironment.parse({ PORT: '0' }));
const createPlatform = () => new Platform('test', http, createLogger('test', 'silent'));

it('closes what was opened, the last one first, once', async () => {
  const platform = createPlatform();
  const closed: string[] = [];
  for (const name of ['first', 'second']) platform.onClose(() => void closed.push(name));
  await Promise.all([platform.close(), platform.close()]);
  expect(closed).toEqual(['second', 'first']);
});

it('closes the others if one fails', async () => {
  const platform = createPlatform();
  let isOpen = true;
  platform.onClose(() => {
    isOpen = false;
  });
  platform.onClose(() => Promise.reject(new Error('no connection')));
  await platform.close();
  expect(isOpen).toBe(false);
});

it('closes at once what is opened after it was closed', async () => {
  const platform = createPlatform();
  await platform.close();
  let isOpen = true;
  platform.onClose(() => {
    isOpen = false;
  });
  expect(isOpen).toBe(false);
});

it('closes what was opened if the service cannot be created', async () => {
  @Module({})
  class UnavailableModule {}

  const platform = createPlatform();
  let isOpen = false;
  const useFactory = () => {
    isOpen = true;
    platform.onClose(() => {
      isOpen = false;
    });
    throw new Error('no server');
  };
  const module = { module: UnavailableModule, providers: [{ provide: 'connection', useFactory }] };
  await expect(createService(module, platform, { restErrors: {} })).rejects.toThrow('no server');
  expect(isOpen).toBe(false);
});
