import { type DynamicModule, Module } from '@nestjs/common';
import { Exports } from './exports';
import { Responder } from './responder';
import { RESPONSE_SETTINGS, type ResponseSettings } from './response-settings';

/** Sends lists as JSON or CSV. */
@Module({})
export class ResponsesModule {
  static forRoot(settings: ResponseSettings): DynamicModule {
    return {
      module: ResponsesModule,
      global: true,
      providers: [{ provide: RESPONSE_SETTINGS, useValue: settings }, Exports, Responder],
      exports: [Responder],
    };
  }
}
