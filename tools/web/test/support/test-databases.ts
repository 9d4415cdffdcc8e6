import { migrateService, type Running } from '@waggle/running';
import { createTemplate, createTestDatabase } from '@waggle/testing';
import { type MakeDatabase } from '../../src/stack';

/** Copies migrated databases; they are dropped with what runs. */
export function testDatabases(running: Running): MakeDatabase {
  return async (service) => {
    const template = await createTemplate(service, (url) => migrateService(running, service, url));
    const { url, drop } = await createTestDatabase(template);
    running.use({ stop: drop });
    return url;
  };
}
