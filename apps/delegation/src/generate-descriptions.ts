import { createMetrics, Readiness } from '@waggle/service';
import { generateOpenApi } from '@waggle/service/api-description';
import { delegationDescription } from './api-description/delegation-description';
import { AppModule } from './app.module';
import { readApiConfig } from './config';

/** Required settings; nothing connects to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none' };

/** Generates the API descriptions, by the names of their files, without a database. */
export async function generateDescriptions(): Promise<Record<string, object>> {
  const operations = { readiness: new Readiness([]), metrics: createMetrics() };
  const module = AppModule.forRoot(readApiConfig(environment), operations);
  return { 'delegation.openapi.json': await generateOpenApi(module, delegationDescription) };
}
