import { type DynamicModule, Module } from '@nestjs/common';
import { Exports } from '@waggle/service';
import { Responder } from './responder';
import { RESPONSE_SETTINGS, type ResponseSettings } from './response-settings';

/** Provides the `Responder`, which sends lists as JSON or CSV. */
@Module({})
export class ResponsesModule {
  static forRoot(settings: ResponseSettings): DynamicModule {
    return {
      module: ResponsesModule,
      global: true,
      providers: [
        { provide: RESPONSE_SETTINGS, useValue: settings },
        { provide: Exports, useValue: new Exports(settings.exports) },
        Responder,
      ],
      exports: [Responder],
    };
  }
}
